// A file or an example goes to the server; then comes the page that shows how it was read.
import { example, upload } from "./api.js";
import { at, say } from "./dom.js";

const most = Number(at("file").dataset.most);
let busy = false;

async function send(what, sent) {
  if (busy) return;
  busy = true;
  say(at("problem"), null);
  at("status").textContent = `Taking in ${what} …`;
  try {
    const { id } = await sent();
    window.location.assign(`/read/${encodeURIComponent(id)}`);
  } catch (error) {
    say(at("problem"), error.message);
    at("status").textContent = "";
    at("file").value = "";
  }
  busy = false;
}

const take = (files) => {
  if (files.length > 1) say(at("problem"), "One file at a time, please: choose the one to analyse.");
  else if (files.length === 1 && files[0].size > most * 1e6) {
    const size = Math.ceil(files[0].size / 1e6).toLocaleString("en");
    say(at("problem"), `This file has ${size} MB, and kernelscribe takes ${most.toLocaleString("en")} MB at most. Start it with a larger --max-upload, or bring fewer rows.`);
  } else if (files.length === 1) send(files[0].name, () => upload(files[0]));
};

at("file").addEventListener("change", () => take(at("file").files));
for (const each of document.querySelectorAll("[data-example]")) {
  each.addEventListener("click", () => send("the example", () => example(each.dataset.example)));
}

// The whole page takes a file that is dropped: a browser would else open it and be gone.
const drop = at("drop");
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files);
});
window.addEventListener("pageshow", () => { at("status").textContent = ""; });
