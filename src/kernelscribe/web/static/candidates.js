// The candidates of a search, made of its events: a tree of what is known of each, without any drawing.

const FAILED = ["failed", "crashed", "singular", "nonfinite", "inconsistent"];

/** Nothing is known yet. */
export const nothing = () => ({ all: new Map(), best: null, stage: null, done: 0, rounds: [], warnings: [] });

/** Take in one event. */
export function absorb(search, name, data) {
  // A search that is begun again, as after a restart, tells everything anew.
  if (name === "began") Object.assign(search, nothing());
  else if (name === "stage") Object.assign(search, { stage: data, done: 0 });
  else if (name === "found") find(search, data);
  else if (name === "closed") close(search, data);
  else if (name === "warned") search.warnings.push(data.message);
}

function find(search, { depth, stage, name, kernel, words, parent, status, reason, standing, best_name, best_words, best, best_standing }) {
  search.done += 1;
  const held = search.all.get(name) ?? { name, kernel, words, parent, depth, nats: null, fate: null, reason: "" };
  // A copy that was shaken and climbs less high than the kernel did before is no news.
  const news = standing && !(stage === "renew" && held.nats && standing.lower < held.nats.lower);
  if (news) Object.assign(held, { nats: standing, fate: null });
  if (!held.nats && status === "dropped") held.fate = "dropped";
  if (!held.nats && FAILED.includes(status)) Object.assign(held, { fate: "failed", reason });
  search.all.set(name, held);
  if (best) search.best = { name: best_name, kernel: best, words: best_words, nats: best_standing };
}

function close(search, data) {
  search.rounds.push(data);
  for (const each of search.all.values()) {
    if (each.depth <= data.depth && !each.nats && !each.fate) each.fate = "dropped";
  }
}

const score = (each) => each.nats?.upper ?? -Infinity;

/** best, open (not told from the best), out (ruled out), none (no score yet). */
export function standing(each, search) {
  if (each.name === search.best?.name) return "best";
  if (each.fate) return "out";
  if (!each.nats) return "none";
  return search.best && each.nats.upper < search.best.nats.lower ? "out" : "open";
}

/** Children of each candidate, the best first; under `null` are those that began. A parent that is unknown counts as none. */
export function children(search) {
  const found = new Map([[null, []]]);
  for (const each of search.all.values()) {
    const parent = search.all.has(each.parent) ? each.parent : null;
    if (!found.has(parent)) found.set(parent, []);
    found.get(parent).push(each);
  }
  for (const each of found.values()) each.sort((a, b) => score(b) - score(a));
  return found;
}

/** Where the axis begins and how many nats it spans: as few as show the leading candidates, in round numbers. */
export function zoom(search, leaders = 6) {
  const scored = [...search.all.values()].filter((each) => each.nats).sort((a, b) => score(b) - score(a));
  if (!scored.length) return null;
  const top = Math.max(score(scored[0]), search.best?.nats?.upper ?? -Infinity);
  const width = search.best?.nats ? top - search.best.nats.lower : 0;
  const wanted = Math.max(4, 1.3 * width, 1.15 * (top - score(scored[Math.min(leaders, scored.length) - 1])));
  const power = 10 ** Math.floor(Math.log10(wanted));
  return { top, span: [1, 2, 5, 10].map((each) => each * power).find((each) => each >= wanted) };
}
