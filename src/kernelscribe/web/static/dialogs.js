// Renaming and deleting, each asked in a dialog; buttons carry which analysis is meant.
import { remove, rename } from "./api.js";
import { say } from "./dom.js";

/** Open a dialog; `act` is done on "yes", and the dialog stays open with the reason when it fails. */
function ask(dialog, act) {
  const form = dialog.querySelector("form");
  const problem = dialog.querySelector(".error");
  say(problem, null);
  form.onsubmit = async (event) => {
    if (event.submitter?.value === "no") return;
    event.preventDefault();
    try {
      await act();
      dialog.close();
    } catch (error) {
      say(problem, error.message);
    }
  };
  dialog.showModal();
}

/** Make the page's buttons work. `renamed(id, title)` and `removed(id)` show what has changed. */
export function dialogs({ renamed, removed }) {
  const [naming, removing] = ["rename", "delete"].map((id) => document.getElementById(id));
  const field = naming.querySelector("input");
  for (const button of document.querySelectorAll("[data-rename]")) {
    button.addEventListener("click", () => {
      field.value = button.dataset.name;
      ask(naming, async () => {
        const { title } = await rename(button.dataset.rename, field.value);
        renamed(button.dataset.rename, title);
      });
      field.select();
    });
  }
  for (const button of document.querySelectorAll("[data-delete]")) {
    button.addEventListener("click", () => {
      removing.querySelector("[data-name]").textContent = button.dataset.name;
      ask(removing, async () => {
        await remove(button.dataset.delete);
        removed(button.dataset.delete, button.dataset.then);
      });
      removing.querySelector("[value=no]").focus();
    });
  }
}
