// Draws the candidates: a nested list, each line with its interval on the common axis.
import { children, standing, zoom } from "./candidates.js";
import { ticks } from "./chart.js";
import { at, make } from "./dom.js";
import { behind, count, duration } from "./words.js";

const SHOWN = 5;
// Per cent of the width at which the best stands: a little within the right end, so that its mark is whole.
const RIGHT = 97;

/** A drawing of a search, which may be `over`; `update()` brings it up to date. */
export function tree(search, over) {
  const lines = new Map();
  const unfolded = new Set();
  const lists = new Map();

  function line(each) {
    if (!lines.has(each.name)) {
      const name = make("div", { class: "name" }, make("span", {}, each.words || each.kernel), make("code", {}, each.kernel));
      const bar = make("div", { class: "bar" });
      const value = make("div", { class: "value" });
      const box = make("div", { class: "line" }, name, make("div", { class: "track", "aria-hidden": "true" }, bar), value);
      lines.set(each.name, { item: make("li", {}, box), box, name, bar, value });
    }
    return lines.get(each.name);
  }

  function paint(each, depth, axis) {
    const { box, name, bar, value } = line(each);
    const state = standing(each, search);
    const far = each.nats && axis.top - each.nats.upper > axis.span;
    box.className = `line ${state}${far ? " far" : ""}${each.nats ? "" : " none"}`;
    box.style.setProperty("--depth", Math.min(depth, 8));
    name.dataset.mark = state === "best" ? "★" : "";
    value.textContent = said(each, state, axis);
    if (!each.nats || far) return;
    const place = (nats) => RIGHT * (1 - Math.min(1.2, (axis.top - nats) / axis.span));
    bar.style.left = `${place(each.nats.lower)}%`;
    bar.style.width = `${place(each.nats.upper) - place(each.nats.lower)}%`;
  }

  function said(each, state, axis) {
    if (each.fate === "failed") return "could not be fitted";
    if (each.fate === "dropped") return "ruled out at first sight";
    if (!each.nats) return "looked at";
    if (state === "best") return over ? "the best" : "the best so far";
    return `${behind(axis.top - each.nats.upper, axis.top - each.nats.lower)} behind${state === "out" ? verdict(search.best.nats.lower - each.nats.upper) : ""}`;
  }

  function list(parent) {
    if (!lists.has(parent)) lists.set(parent, parent === null ? at("branches") : make("ul"));
    return lists.get(parent);
  }

  function branch(parent, kin, depth, axis) {
    const all = kin.get(parent) ?? [];
    const open = unfolded.has(parent);
    const kept = all.filter((each, i) => open || kin.has(each.name) || (i < SHOWN && each.nats) || each.name === search.best?.name);
    const items = kept.map((each) => {
      paint(each, depth, axis);
      const { item } = line(each);
      if (kin.has(each.name)) {
        const inner = branch(each.name, kin, depth + 1, axis);
        if (inner.parentNode !== item) item.append(inner);
      }
      return item;
    });
    const hidden = all.length - kept.length;
    if (hidden || open) items.push(others(parent, hidden, depth));
    arrange(list(parent), items);
    return list(parent);
  }

  function others(parent, hidden, depth) {
    const key = `others of ${parent}`;
    if (!lines.has(key)) {
      const button = make("button", { type: "button" });
      button.addEventListener("click", () => {
        if (!unfolded.delete(parent)) unfolded.add(parent);
        update();
        button.focus();
      });
      lines.set(key, { item: make("li", { class: "others" }, button), button });
    }
    const { item, button } = lines.get(key);
    item.style.setProperty("--depth", Math.min(depth, 8));
    button.textContent = unfolded.has(parent) ? "show fewer" : `and ${count(hidden, "other")} further behind`;
    button.setAttribute("aria-expanded", String(unfolded.has(parent)));
    return item;
  }

  function scale({ top, span } = { top: 0, span: 0 }) {
    if (!span) return;
    const marks = ticks(0, span, window.innerWidth < 700 ? 3 : 5).map((nats) => {
      const mark = make("span", { class: "at" }, nats === 0 ? "best" : `−${nats}`);
      mark.style.left = `${RIGHT * (1 - nats / span)}%`;
      return mark;
    });
    at("axis").replaceChildren(make("span", { class: "scale" }, ...marks), make("span", { class: "unit" }, "nats behind"));
  }

  function update() {
    const axis = zoom(search);
    at("tree-empty").hidden = search.all.size > 0;
    scale(axis ?? undefined);
    branch(null, children(search), 0, axis ?? { top: 0, span: 1 });
    at("rounds").replaceChildren(...search.rounds.map(round), ...search.warnings.map((text) => make("li", {}, `Note: ${text}`)));
  }

  return { update };
}

/** How much it means to be behind by that many nats, as the report has it. */
function verdict(nats) {
  if (nats >= 5) return ", ruled out";
  return nats >= 1 ? ", moderately" : ", slightly";
}

function round({ depth, candidates, dropped, failed, best_words, contenders, seconds }) {
  const gone = [dropped ? `${dropped} ruled out at first sight` : "", failed ? `${failed} could not be fitted` : ""].filter(Boolean);
  const others = contenders > 1 ? `; ${contenders - 1} more cannot be told from it yet` : "";
  return make("li", {}, `Round ${depth + 1}: ${count(candidates, "candidate")}${gone.length ? ` (${gone.join(", ")})` : ""} in ${duration(seconds)}. Best: ${best_words ?? "none yet"}${others}.`);
}

/** Put the items into the list in this order, touching nothing where they are so already: a focus would be lost. */
function arrange(list, items) {
  const now = [...list.children];
  if (now.length === items.length && now.every((each, i) => each === items[i])) return;
  const focused = document.activeElement;
  list.replaceChildren(...items);
  if (focused && focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true });
}
