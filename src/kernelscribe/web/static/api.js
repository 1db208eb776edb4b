// The server's JSON; what goes wrong becomes an error with one plain sentence.

const GONE = "kernelscribe does not answer. Is it still running? Start it again with “kernelscribe web”.";

async function ask(method, path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch(path, { method, body, headers });
  } catch {
    throw new Error(GONE);
  }
  if (answer.status === 204) return null;
  const held = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(held?.error?.message ?? `kernelscribe answered with error ${answer.status}. Try again, or restart it.`);
  return held;
}

const json = (method, path, value) => ask(method, path, JSON.stringify(value), { "Content-Type": "application/json" });
const part = encodeURIComponent;

export const upload = (file) =>
  ask("POST", "/api/uploads", file, { "Content-Type": "application/octet-stream", "X-Filename": part(file.name.toWellFormed?.() ?? file.name) });
export const example = (name) => json("POST", `/api/examples/${part(name)}`, {});
export const preview = (id, reading) => json("POST", `/api/uploads/${part(id)}/preview`, { reading });
export const begin = (job) => json("POST", "/api/jobs", job);
export const rename = (id, title) => json("PATCH", `/api/jobs/${part(id)}`, { title });
export const remove = (id) => ask("DELETE", `/api/jobs/${part(id)}`);
export const prepare = (path) => json("POST", `/api${path}`, {});
export const stop = (id) => json("POST", `/api/jobs/${part(id)}/stop`, {});
