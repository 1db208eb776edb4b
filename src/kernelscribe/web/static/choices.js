// The form of the reading page: what may be explained by what, and what of it the person changed.
import { at, make } from "./dom.js";

/** The select of the target and the ticks of the inputs, as the server read the file. */
export function offer(seen) {
  at("target").replaceChildren(...seen.numeric.map((name) => make("option", { value: name, selected: name === seen.target }, name)));
  const dates = seen.columns.filter(({ name, kind }) => name === seen.time || kind === "date").map(({ name }) => name);
  const columns = seen.columns.map(({ name }) => name);
  // A table of one column is explained by the number of the row, which is no column that could be ticked.
  const names = [...new Set([...dates, ...seen.inputs, ...seen.numeric])].filter((name) => name !== seen.target && columns.includes(name));
  const boxes = names.map((name, i) => {
    const box = make("input", { type: "checkbox", id: `input-${i}`, value: name, checked: name === seen.time || seen.inputs.includes(name) });
    if (dates.includes(name)) box.dataset.time = "yes";
    return make("label", { for: `input-${i}` }, box, make("span", {}, name), dates.includes(name) ? make("span", { class: "note" }, "time") : null);
  });
  at("inputs").hidden = names.length === 0;
  at("inputs").querySelector(".choices").replaceChildren(...boxes);
}

/** What the ticks say, as a part of a reading: the time by itself, other columns as inputs. */
export function inputs() {
  const ticked = [...at("inputs").querySelectorAll("input:checked")];
  const time = ticked.find((box) => box.dataset.time)?.value;
  const others = ticked.filter((box) => box.value !== time).map((box) => box.value);
  return { ...(time === undefined ? {} : { time }), ...(others.length ? { inputs: others } : {}) };
}

/** The options that differ from the usual ones. */
export function options() {
  const found = {};
  for (const field of document.querySelectorAll("[data-option]")) {
    const { option, kind } = field.dataset;
    const held = field.type === "checkbox" ? String(field.checked) : field.value.trim();
    if (held === "" || held === field.dataset.default) continue;
    if (field.type === "checkbox") found[option] = field.checked;
    else found[option] = kind === "whole" || kind === "number" ? Number(held) : held;
  }
  const budget = at("budget").value;
  return budget ? { ...found, budget } : found;
}

/** Put what an earlier analysis used into the fields of the form. */
export function restore({ reading, forecast, budget }) {
  for (const field of document.querySelectorAll("[data-reading]")) {
    if (field.type === "checkbox") field.checked = reading[field.id] ?? false;
    else field.value = reading[field.id] ?? "";
  }
  at("forecast").value = forecast ?? "";
  if (budget === null || budget === undefined || budget === "") return;
  const text = typeof budget === "number" ? `${budget}s` : String(budget);
  const seconds = (value) => Number.parseFloat(value) * ({ m: 60, h: 3600 }[value.at(-1)] ?? 1);
  const known = [...at("budget").options].find((each) => each.value && seconds(each.value) === seconds(text));
  if (!known) at("budget").append(make("option", { value: text }, text));
  at("budget").value = known?.value ?? text;
}
