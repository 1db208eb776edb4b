// How a file was read: shown, asked where it is ambiguous, read anew after every choice; then the search is begun.
import { begin, preview } from "./api.js";
import { chart } from "./chart.js";
import { inputs, offer, options, restore } from "./choices.js";
import { at, make, say } from "./dom.js";
import { count, listed } from "./words.js";

const upload = at("main").dataset.upload;
const defaults = JSON.parse(at("defaults").textContent);
// Answers that are shown side by side.
const FEW = 12;
const KINDS = { guess: "Guessed", repair: "Repaired", notice: "Noticed", rhythm: "Rhythm" };

let reading = defaults.reading ?? {};
// The last reading that worked.
let good = null;
let seen = null;
let turn = 0;

/** Read the file as `wanted` says; of several that are under way the last one counts. */
async function look(wanted) {
  const mine = ++turn;
  reading = wanted;
  at("main").setAttribute("aria-busy", "true");
  at("begin").disabled = true;
  try {
    const found = await preview(upload, reading);
    if (mine !== turn) return;
    say(at("problem"), null);
    good = found.ok ? reading : good;
    if (found.ok) show(found);
    else question(found.ask);
  } catch (error) {
    if (mine !== turn) return;
    say(at("problem"), error.message);
    at("undo").hidden = good === null;
    if (good === null) at("about").textContent = "This file cannot be used:";
    at("status").textContent = "";
  }
  at("main").removeAttribute("aria-busy");
  at("begin").disabled = !at("problem").hidden;
}

/** Where many answers are offered, they are a list to choose from. */
function answers(text, choices) {
  if (choices.length <= FEW) {
    return choices.map(({ value, label }, i) =>
      make("label", { for: `answer-${i}` }, make("input", { type: "radio", name: "answer", id: `answer-${i}`, value, required: true }), make("span", {}, label)));
  }
  return [make("select", { name: "answer", "aria-label": text }, ...choices.map(({ value, label }) => make("option", { value }, label)))];
}

function question({ field, column, question: text, choices }) {
  at("about").textContent = "A question about";
  at("status").textContent = "";
  at("seen").hidden = true;
  const form = at("ask");
  form.querySelector("legend").textContent = text;
  form.querySelector(".choices").replaceChildren(...answers(text, choices));
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    form.hidden = true;
    const answer = new FormData(form).get("answer");
    if (at(field)?.matches("[data-reading]")) at(field).value = answer;
    const settled = field === "where" ? { ...reading.where, [column]: answer } : answer;
    look({ ...reading, [field]: settled }).then(() => at("sentence").focus());
  };
}

function show(found) {
  seen = found;
  at("about").textContent = "How this file was read:";
  at("status").textContent = "";
  at("ask").hidden = true;
  at("seen").hidden = false;
  const by = found.inputs.length ? ` is to be explained by ${listed(found.inputs)}` : "";
  at("sentence").replaceChildren(make("strong", {}, found.target), `${by}, from ${count(found.rows, "row")}${rows(found.where)}.`);
  at("others").hidden = Object.keys(found.where).length === 0;
  at("notes").replaceChildren(...found.notes.map(({ kind, text }) => make("li", { class: kind }, make("b", {}, KINDS[kind] ?? "Noticed"), text)));
  at("rows").tHead.replaceChildren(make("tr", {}, ...found.head.columns.map((name) => make("th", { scope: "col" }, name))));
  at("rows").tBodies[0].replaceChildren(...found.head.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell ?? "")))));
  picture();
  offer(found);
  at("forecast-field").hidden = found.series === false;
  at("forecast-help").textContent = found.horizon
    ? `Steps beyond the last row; ${count(found.horizon, "step")} when empty.`
    : "Steps beyond the last row; as many as make sense when empty.";
}

/** Which rows were chosen, in words. */
function rows(where) {
  const parts = Object.entries(where).map(([name, value]) => (value === "*" ? `every ${name} together` : `${name} ${value}`));
  return parts.length ? ` of ${listed(parts)}` : "";
}

function picture() {
  if (!seen?.chart?.series?.length) return;
  at("chart").replaceChildren(chart(seen.chart, Math.max(280, Math.min(at("chart").clientWidth, 1200))));
  at("chart-words").textContent = `${seen.chart.y_label} against ${seen.chart.x_label}`;
}

const without = (held, ...names) => Object.fromEntries(Object.entries(held).filter(([name]) => !names.includes(name)));

at("target").addEventListener("change", () => {
  const target = at("target").value;
  const others = reading.inputs?.filter((name) => name !== target) ?? [];
  look({ ...without(reading, "inputs"), ...(others.length ? { inputs: others } : {}), target });
});
at("inputs").addEventListener("change", () => {
  const chosen = inputs();
  if (!Object.keys(chosen).length) {
    say(at("problem"), "Tick at least one column to explain it by.");
    at("undo").hidden = true;
    at("begin").disabled = true;
    return;
  }
  look({ ...without(reading, "time", "inputs"), target: at("target").value, ...chosen });
});
for (const field of document.querySelectorAll("[data-reading]")) {
  field.addEventListener("change", () => {
    const value = field.type === "checkbox" ? field.checked : field.value.trim();
    look({ ...without(reading, field.id), ...(value ? { [field.id]: value } : {}) });
  });
}
at("others").firstElementChild.addEventListener("click", () => look(without(reading, "where")));
at("undo").addEventListener("click", () => {
  restore({ reading: good, forecast: at("forecast").value, budget: at("budget").value });
  look(good);
});

at("choices").addEventListener("submit", async (event) => {
  event.preventDefault();
  say(at("refused"), null);
  at("begin").disabled = true;
  const forecast = at("forecast").value;
  try {
    const { id } = await begin({ upload, reading, options: options(), ...(forecast === "" || at("forecast-field").hidden ? {} : { forecast: Number(forecast) }) });
    window.location.assign(`/jobs/${encodeURIComponent(id)}`);
  } catch (error) {
    say(at("refused"), error.message);
    at("begin").disabled = false;
  }
});
window.addEventListener("resize", picture);
// Coming back to this page with the browser's arrow must not leave the button off.
window.addEventListener("pageshow", (event) => { if (event.persisted) at("begin").disabled = false; });

restore(defaults);
look(reading);
