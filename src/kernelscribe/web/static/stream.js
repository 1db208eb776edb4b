// The events of a search, followed through lost connections: each has a number, and none is told twice or left out.

const NAMES = ["queued", "began", "stage", "found", "closed", "warned", "reporting", "ended"];
const AGAIN = 2000;

/** Call `event(name, data)` for every event from the first on, and `lost(true)` or `lost(false)` when the connection changes. */
export function follow(job, { event, lost }) {
  let last = 0;
  let source = null;
  let waiting = null;
  let over = false;

  function open() {
    source = new EventSource(`/api/jobs/${encodeURIComponent(job)}/events?after=${last}`);
    source.addEventListener("open", () => lost(false));
    source.addEventListener("error", () => {
      // The browser would try again by itself, but not after every kind of failure.
      source.close();
      if (over || waiting) return;
      lost(true);
      waiting = setTimeout(() => { waiting = null; open(); }, AGAIN);
    });
    for (const name of NAMES) {
      source.addEventListener(name, (message) => {
        const number = Number(message.lastEventId);
        if (over || number <= last) return;
        last = number;
        event(name, JSON.parse(message.data));
      });
    }
  }

  function shut() {
    source?.close();
    clearTimeout(waiting);
    waiting = null;
  }

  // Browsers allow six connections to one address: tabs that nobody looks at leave theirs to others, and catch up later.
  document.addEventListener("visibilitychange", () => {
    if (over) return;
    shut();
    if (!document.hidden) open();
  });
  open();
  return { close: () => { over = true; shut(); } };
}
