// Draws the charts: those in sight at once, the others when the browser has nothing else to do.
(() => {
  "use strict";
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const { charts, columns } = read("charts");
  const config = read("look");

  // Rows of named values from the columns that the page holds once.
  const rows = (table) => {
    const names = Object.keys(table);
    const length = names.length ? columns[table[names[0]]].length : 0;
    return Array.from({ length }, (_, i) => Object.fromEntries(names.map((name) => [name, columns[table[name]][i]])));
  };

  const options = {
    mode: "vega-lite",
    renderer: "svg",
    actions: false,
    ast: true,
    config,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
    loader: { load: () => Promise.reject(new Error("a report loads nothing")) },
  };

  const draw = (place) => {
    if (place.dataset.state) return;
    place.dataset.state = "drawing";
    const spec = charts[Number(place.dataset.chart)];
    const datasets = Object.fromEntries(Object.entries(spec.datasets).map(([name, table]) => [name, rows(table)]));
    vegaEmbed(place, { ...spec, datasets }, options).then(
      () => { place.dataset.state = "drawn"; },
      (error) => { place.dataset.state = "failed"; console.error(error); },
    );
  };

  const places = [...document.querySelectorAll("[data-chart]")];
  const seen = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
    { rootMargin: "400px" },
  );
  places.forEach((place) => seen.observe(place));

  // A folded chart has no width yet: it waits until it is unfolded.
  // Within a frame a browser may never call itself idle: after a second charts are drawn all the same.
  const idle = (next) => (window.requestIdleCallback ? requestIdleCallback(next, { timeout: 1000 }) : setTimeout(next, 50));
  const waiting = () => places.find((place) => !place.dataset.state && place.clientWidth > 0);
  const next = () => {
    const place = waiting();
    if (place) { draw(place); idle(next); }
  };
  idle(next);

  // Paper has no folds.
  const folds = [...document.querySelectorAll("details")];
  window.addEventListener("beforeprint", () => {
    folds.filter((fold) => !fold.open).forEach((fold) => { fold.dataset.folded = "yes"; fold.open = true; });
    places.forEach(draw);
  });
  window.addEventListener("afterprint", () => {
    folds.filter((fold) => fold.dataset.folded).forEach((fold) => { delete fold.dataset.folded; fold.open = false; });
  });
})();
