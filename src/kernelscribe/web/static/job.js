// One analysis: the search as it goes on, or its result with the way it was found.
import { prepare, stop } from "./api.js";
import { absorb, nothing } from "./candidates.js";
import { dialogs } from "./dialogs.js";
import { at } from "./dom.js";
import { follow } from "./stream.js";
import { tree } from "./tree.js";
import { count, duration } from "./words.js";

const { job, state, title } = at("main").dataset;
const STAGES = { screen: "a first look at", polish: "fitting", decide: "telling apart", renew: "looking again at" };
const search = nothing();
const running = state === "queued" || state === "running";
const drawing = tree(search, !running);

/** Draw at most a few times a second, however fast events come. */
function calm(act, wait = 200) {
  let due = null;
  return () => { due ??= setTimeout(() => { due = null; act(); }, wait); };
}

function live() {
  const clock = { at: Number(at("main").dataset.seconds), since: performance.now(), runs: state === "running" };
  const elapsed = () => clock.at + (clock.runs ? (performance.now() - clock.since) / 1000 : 0);
  const tick = () => { at("clock").textContent = duration(elapsed()); };
  tick();
  setInterval(tick, 500);

  const redraw = calm(() => {
    drawing.update();
    at("tried").textContent = `${search.all.size.toLocaleString("en")} tried`;
    const said = search.best ? `Best so far: ${search.best.words ?? search.best.kernel}.` : null;
    // The same words again would be read out again.
    if (said && at("best").textContent !== said) at("best").textContent = said;
    if (search.stage) {
      const { depth, stage, tasks } = search.stage;
      at("stage").textContent = `Round ${depth + 1}: ${STAGES[stage] ?? stage} ${count(tasks, "candidate")}`;
      Object.assign(at("progress"), { max: tasks, value: Math.min(search.done, tasks) });
      document.title = `Round ${depth + 1} – ${title}`;
    }
  });

  const stream = follow(job, {
    lost: async (gone) => {
      at("lost").hidden = !gone;
      // Deleted elsewhere: the page that says so is the server's.
      if (gone && (await fetch(`/api/jobs/${encodeURIComponent(job)}`).catch(() => null))?.status === 404) window.location.reload();
    },
    event: (name, data) => {
      if (typeof data.at === "number" && data.at >= elapsed() - 1) Object.assign(clock, { at: data.at, since: performance.now() });
      if (name === "queued") at("best").textContent = data.position > 1 ? `Waiting for its turn: ${data.position - 1} before it.` : "Waiting for its turn: the next one.";
      if (name === "began") {
        clock.runs = true;
        clock.since = performance.now();
        at("best").textContent = `Searching in ${count(data.rows, "row")} for what explains ${data.target} …`;
      }
      if (name === "reporting") {
        search.stage = null;
        at("stage").textContent = "The search is over. Writing the report …";
        at("progress").removeAttribute("value");
        at("stop").disabled = true;
      }
      if (name === "ended") {
        stream.close();
        window.location.reload();
        return;
      }
      absorb(search, name, data);
      redraw();
    },
  });

  at("stop").addEventListener("click", async () => {
    at("stop").disabled = true;
    at("stop-note").textContent = "Stopping, then writing the report …";
    try {
      await stop(job);
    } catch (error) {
      at("stop").disabled = false;
      at("stop-note").textContent = error.message;
    }
  });
}

/** A file that is made when it is asked for: its note says that it takes a while, and why where it fails. */
function late(link) {
  const note = link.nextElementSibling;
  link.addEventListener("click", async (event) => {
    if (link.dataset.made === "yes") return;
    event.preventDefault();
    if (link.dataset.made === "now") return;
    link.dataset.made = "now";
    note.textContent = "being made …";
    try {
      await prepare(link.pathname);
      link.dataset.made = "yes";
      note.textContent = "ready";
      link.click();
    } catch (error) {
      link.dataset.made = "later";
      note.textContent = error.message;
    }
  });
}

function over() {
  document.querySelectorAll("[data-made]").forEach(late);
  at("how").addEventListener("toggle", () => {
    const redraw = calm(drawing.update, 50);
    const stream = follow(job, {
      lost: () => {},
      event: (name, data) => {
        if (name === "ended") stream.close();
        absorb(search, name, data);
        redraw();
      },
    });
  }, { once: true });
  dialogs({
    renamed: () => window.location.reload(),
    removed: (_, then) => window.location.assign(then),
  });
}

if (running) live();
else over();
