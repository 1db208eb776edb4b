// The search of the docs, from the disk as from a server: its parts come as scripts when they are first needed.
const MOST = 20, SUMMARY = 200;
let engine = null;

function load(path) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: `${base_url}/${path}`, onload: done, onerror: failed });
    document.head.append(script);
  });
}

async function prepare() {
  await Promise.all([load("search/lunr.js"), load("search/index.js")]);
  const { config, docs } = found_in_docs;
  lunr.tokenizer.separator = new RegExp(config.separator);
  const entries = new Map(docs.map((entry) => [entry.location, entry]));
  const index = lunr((made) => {
    made.ref("location");
    made.field("title", { boost: 10 });
    made.field("text");
    docs.forEach((entry) => made.add(entry));
  });
  return (words) => index.query((query) => ask(query, words)).map((hit) => named(entries, hit.ref));
}

// Lunr's own language would take "kernel:" for an error.
function split(text) {
  return lunr.tokenizer(text).map((token) => lunr.trimmer(token).toString()).filter((word) => word);
}

// Each word as it stands, or as the beginning of one.
function ask(query, words) {
  for (const word of words) {
    query.term(word, { boost: 10, usePipeline: true });
    query.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
  }
}

// A section is called after its page too: there are several "Options".
function named(entries, location) {
  const entry = entries.get(location), page = entries.get(location.split("#")[0]);
  return { ...entry, title: page && page !== entry ? `${page.title}: ${entry.title}` : entry.title };
}

function article({ location, title, text }, words) {
  const made = document.createElement("article"), link = document.createElement("a");
  Object.assign(link, { href: `${base_url}/${location}`, textContent: title });
  const head = document.createElement("h3");
  head.append(link);
  made.append(head, paragraph(around(text, words)));
  return made;
}

// What stands about the first of the words, in whole words.
function around(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - SUMMARY / 2), from = start && text.indexOf(" ", start) + 1;
  const cut = text.slice(from, from + SUMMARY), whole = from + SUMMARY < text.length ? cut.replace(/\s+\S*$/, " …") : cut;
  return (from ? "… " : "") + whole;
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
}

async function search(text) {
  if (!text.trim()) return [];
  const find = await engine, words = split(text), found = find(words).slice(0, MOST);
  return found.length ? found.map((entry) => article(entry, words)) : [paragraph(`Nothing was found for “${text.trim()}”.`)];
}

document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("mkdocs-search-query"), results = document.getElementById("mkdocs-search-results");
  results.setAttribute("aria-live", "polite");

  async function show() {
    const text = box.value;
    engine ??= prepare();
    let shown;
    try {
      shown = await search(text);
    } catch {
      shown = [paragraph("The search does not work: its files, in the folder “search” beside the pages, cannot be read.")];
    }
    if (text === box.value) results.replaceChildren(...shown);
  }

  box.addEventListener("input", show);
  box.form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("mkdocs_search_modal").addEventListener("show.bs.modal", show);
  box.value = new URLSearchParams(window.location.search).get("q") ?? "";
  if (box.value) show();
});
