// The list of analyses: rename, delete, and tick two to put them side by side.
import { at } from "./dom.js";
import { dialogs } from "./dialogs.js";

const form = at("pick");
const ticks = form ? [...form.querySelectorAll("input[type=checkbox]")] : [];
const chosen = () => ticks.filter((each) => each.isConnected && each.checked);

function tell() {
  const number = chosen().length;
  at("compare").disabled = number !== 2;
  at("picked").textContent = ["Tick two analyses to compare them.", "One is ticked: tick another.", "Two are ticked."][number]
    ?? `${number} are ticked: two can be put side by side.`;
}

form?.addEventListener("change", tell);
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const [a, b] = chosen().map((each) => each.value);
  if (b) window.location.assign(`/compare?${new URLSearchParams({ a, b })}`);
});
if (form) tell();

dialogs({
  renamed: () => window.location.reload(),
  removed: () => window.location.reload(),
});
