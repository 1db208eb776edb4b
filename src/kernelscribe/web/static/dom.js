// Elements without markup: text is always text, whatever stands in it.

/** An element with properties (`class`, `on…` handlers, attributes) and children: nodes or texts. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties);
  element.append(...children.filter((each) => each !== null));
  return element;
}

/** The same in SVG. */
export function draw(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, properties);
  element.append(...children);
  return element;
}

function fill(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

export const at = (id) => document.getElementById(id);

/** Show a sentence in an element that was made for it, or hide it. */
export function say(element, text) {
  const place = element.querySelector("p") ?? element;
  place.textContent = text ?? "";
  element.hidden = !text;
}
