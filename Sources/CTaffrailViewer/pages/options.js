// Dialogs: the options, the saved views and the keys; and the link to the login.

import { access } from "./api.js";
import { dialog } from "./dialog.js";
import { element } from "./dom.js";
import { preferences } from "./format.js";
import { keys } from "./keys.js";
import { view } from "./view.js";

const saved = {
  get(name) {
    try {
      return localStorage.getItem(`taffrail.${name}`) ?? "";
    } catch {
      return "";
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`taffrail.${name}`, value);
    } catch {
      // The browser stores nothing; the page works without it.
    }
  },
};

function choice(label, value, values, onchange) {
  const select = element("select", { onchange: () => onchange(select.value) },
    ...Object.entries(values).map(([value, text]) => element("option", { value }, text)));
  select.value = value;
  return element("label", {}, label, select);
}

/** Applies the options stored in this browser; the address of the page takes precedence. */
export function begin() {
  document.documentElement.dataset.theme = saved.get("theme") || "auto";
  const query = new URLSearchParams(location.search);
  const kept = (name) => (query.has(name) ? {} : { [name]: saved.get(name) || view[name] });
  view.set({ ...kept("zone"), ...kept("units") });
  const take = () => Object.assign(preferences, {
    zone: view.zone === "utc" ? "utc" : "local", units: ["imperial", "nautical"].includes(view.units) ? view.units : "metric",
  });
  take();
  view.on(["zone", "units"], take);
  access.addEventListener("needed", logIn);
}

/** Shows the options. */
export function showOptions() {
  const close = element("button", { type: "button", onclick: () => made.close() }, "Close");
  const keep = (name) => (value) => {
    saved.set(name, value);
    view.set({ [name]: value });
  };
  const made = dialog(
    "Options",
    choice("Colours", document.documentElement.dataset.theme, { auto: "System", light: "Light", dark: "Dark" }, (value) => {
      saved.set("theme", value);
      document.documentElement.dataset.theme = value;
      dispatchEvent(new Event("theme"));
    }),
    choice("Times", view.zone, { local: "Local", utc: "UTC" }, keep("zone")),
    choice("Units", view.units, { metric: "Metric", imperial: "Imperial", nautical: "Nautical" }, keep("units")),
    views(),
    element("div", { class: "buttons" }, element("button", { type: "button", onclick: () => {
      made.close();
      showKeys();
    } }, "Keys"), close));
}

/** The saved views: names and addresses. */
function views() {
  let all = {};
  try {
    all = JSON.parse(saved.get("views") || "{}");
  } catch {
    // The stored value is invalid.
  }
  const list = element("ul", { class: "views" });
  const draw = () => {
    saved.set("views", JSON.stringify(all));
    list.replaceChildren(...Object.entries(all).map(([name, address]) => element("li", {},
      element("a", { href: typeof address === "string" && address.startsWith("/?") ? address : "/", dir: "auto" }, name),
      element("button", { type: "button", class: "plain", "aria-label": `Delete the view ${name}`, onclick: () => {
        delete all[name];
        draw();
      } }, "×"))));
  };
  draw();
  const name = element("input", { type: "text", "aria-label": "Name of the view", placeholder: "name of this view", maxLength: 80 });
  return element("section", {}, element("h2", {}, "Saved views"), list, element("form", {
    class: "buttons", onsubmit: (event) => {
      event.preventDefault();
      if (name.value.trim()) all[name.value.trim()] = view.address;
      name.value = "";
      draw();
    },
  }, name, element("button", { type: "submit" }, "Save")));
}

/** Shows the keys and their actions. */
export function showKeys() {
  const close = element("button", { type: "button", onclick: () => made.close() }, "Close");
  const made = dialog(
    "Keys",
    element("dl", {}, ...keys.flatMap(([names, text]) => [
      element("dt", {}, ...names.flatMap((name, index) => [index > 0 ? " " : "", element("kbd", {}, name)])), element("dd", {}, text),
    ])),
    element("div", { class: "buttons" }, close));
}

/** Opens the login page, which returns to this view. */
function logIn() {
  location.assign(`/login?next=${encodeURIComponent(view.address)}`);
}
