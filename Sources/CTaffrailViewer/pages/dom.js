// Elements. Text is only set as text: these pages never parse HTML.

/**
 * Creates an element.
 *
 * Properties that begin with `on` are listeners; `role`, `for` and names with a dash are attributes; `data` is the data
 * set. All others are properties of the element.
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(made.dataset, value);
    else if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key === "class" ? "className" : key] = value;
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** Creates an SVG element with attributes. */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns an element of the page by its id. */
export const byID = (id) => document.getElementById(id);

/** Sets the text of an element, if it differs. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Announces text to screen readers. */
export function announce(text) {
  byID("announcer").textContent = text;
}

/** Calls a function once no further calls have followed for a time, in milliseconds. */
export function debounced(delay, body) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), delay);
  };
}

/** Whether keys typed in an element are text. */
export function isTyping(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=range], [type=checkbox], [type=radio])"));
}
