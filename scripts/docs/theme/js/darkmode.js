// Light or dark as the system is. The theme's own script also switches style sheets of highlighted code, which are not here.
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function follow() {
  document.documentElement.setAttribute("data-bs-theme", dark.matches ? "dark" : "light");
}

follow();
dark.addEventListener("change", follow);
