// The two scores as intervals on one axis.
import { draw } from "./dom.js";

const places = [...document.querySelectorAll(".span")];
const ends = places.map((each) => [Number(each.dataset.lower), Number(each.dataset.upper)]);
const low = Math.min(...ends.flat());
const high = Math.max(...ends.flat());
// Five nats at least, which is what decides: a slight difference shall look slight.
const span = Math.max(high - low, 5);
const left = (low + high - span) / 2 - 0.06 * span;
const x = (value) => (100 * (value - left)) / (1.12 * span);

if (places.length === 2) {
  places.forEach((place, i) => {
    const [from, to] = ends[i].map(x);
    const width = Math.max(to - from, 2);
    place.append(
      draw(
        "svg",
        { viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
        draw("line", { x1: 0, x2: 100, y1: 7, y2: 7 }),
        draw("rect", { x: (from + to - width) / 2, y: 3, width, height: 8 }),
      ),
    );
  });
}
