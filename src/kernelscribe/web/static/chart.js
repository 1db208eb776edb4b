// The series of the reading page as an inline picture: for each bin its lowest and highest value.
import { draw } from "./dom.js";

const DAY = 86_400_000;
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [220, 56, 10, 10, 26];

/** Round numbers that divide a range into a few steps. */
export function ticks(low, high, most = 5) {
  const range = high - low;
  if (!(range > 0) || !Number.isFinite(range)) return [low];
  const raw = range / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, notation: "standard" });
const huge = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: "scientific" });
const year = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });
const number = (value) => (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4) ? huge : plain).format(value);

/** A date with as much of it as the range calls for. */
function date(time, range) {
  const iso = new Date(time).toISOString();
  if (range > 1500 * DAY) return iso.slice(0, 4);
  if (range > 120 * DAY) return iso.slice(0, 7);
  return range > 3 * DAY ? iso.slice(0, 10) : `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
}

/** Dates as milliseconds; one without a zone means UTC, as everywhere in kernelscribe. */
const instant = (text) => Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) || !text.includes("T") ? text : `${text}Z`);

/** Draw `{x_label, y_label, x_dates, series: [[x, low, high]…]}` at the width of the place, and give it back as an element. */
export function chart({ x_label, y_label, x_dates, series }, width) {
  const points = series.map(([x, low, high]) => [x_dates ? instant(x) : Number(x), low, high]).filter((each) => each.every(Number.isFinite));
  const label = `Chart of ${y_label} against ${x_label}`;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label });
  if (!points.length) return svg;
  const [x0, x1] = spread(points.map((each) => each[0]));
  const [y0, y1] = spread(points.flatMap((each) => each.slice(1)));
  const x = (value) => LEFT + ((width - LEFT - RIGHT) * (value - x0)) / (x1 - x0);
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - y0)) / (y1 - y0);
  for (const each of ticks(y0, y1, 4)) {
    svg.append(draw("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(each), y2: y(each) }));
    svg.append(draw("text", { x: LEFT - 8, y: y(each) + 4, "text-anchor": "end" }, number(each)));
  }
  svg.append(draw("line", { class: "base", x1: LEFT, x2: width - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM }));
  const places = x_dates ? calendar(x0, x1, Math.max(2, Math.floor(width / 130))) : ticks(x0, x1, Math.max(2, Math.floor(width / 120)));
  const years = !x_dates && x0 > 1000 && x1 < 3000;
  for (const each of places) {
    const text = x_dates ? date(each, x1 - x0) : (years ? year : plain).format(each);
    const anchor = x(each) > width - 40 ? "end" : x(each) < LEFT + 20 ? "start" : "middle";
    svg.append(draw("text", { x: x(each), y: HEIGHT - 8, "text-anchor": anchor }, text));
  }
  const path = (line) => line.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join("L");
  const [lows, highs] = [points.map(([a, low]) => [a, low]), points.map(([a, , high]) => [a, high])];
  if (points.some(([, low, high]) => high > low)) svg.append(draw("path", { class: "range", d: `M${path(highs)}L${path(lows.toReversed())}Z` }));
  svg.append(draw("path", { class: "series", d: `M${path(points.map(([a, low, high]) => [a, (low + high) / 2]))}` }));
  if (points.length < 60) svg.append(draw("path", { class: "dots", d: highs.map(([a, b]) => `M${x(a)},${y(b)}h.01`).join("") }));
  return svg;
}

function spread(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** Starts of years, months, days or hours that divide a range into at most so many steps. */
function calendar(low, high, most) {
  const month = (high - low) / (30.4375 * DAY);
  const months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400].find((each) => month / each <= most);
  if (month > most / 2 && months) {
    const first = new Date(low);
    const from = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months);
    return Array.from({ length: most + 2 }, (_, i) => new Date(0).setUTCFullYear(0, (from + i) * months, 1)).filter((each) => each >= low && each <= high);
  }
  const step = [1, 3, 6, 12, 24, 48, 168, 336].map((hours) => (hours * DAY) / 24).find((each) => (high - low) / each <= most);
  return step ? ticks(low / step, high / step, (high - low) / step).map((each) => Math.round(each) * step) : [low, high];
}
