// The values of fields, with counts, to filter by.

import { get, isAbort } from "./api.js";
import { byID, debounced, element } from "./dom.js";
import { count, line } from "./format.js";
import { condition, has, toggled } from "./query.js";
import { view } from "./view.js";

const standard = ["level", "logger", "device", "event"];
const key = "taffrail.fields";
const shown = 10;

function savedFields() {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(saved) ? saved.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** The panel next to the list. */
export class Facets {
  #controller = new AbortController();

  constructor() {
    this.panel = byID("facets");
    this.fields = savedFields();
    this.blocks = element("div");
    const name = element("input", { type: "text", "aria-label": "Name of an attribute", placeholder: "attribute", maxLength: 256 });
    const form = element("form", {
      onsubmit: (event) => {
        event.preventDefault();
        this.add(name.value.trim());
        name.value = "";
      },
    }, name, element("button", { type: "submit" }, "Add"));
    this.panel.append(this.blocks, form);
    this.refresh = debounced(120, () => this.load());
  }

  /** Shows the values of another attribute. */
  add(field) {
    if (!field || standard.includes(field) || this.fields.includes(field)) return;
    this.#change([...this.fields, field]);
  }

  #change(fields) {
    this.fields = fields;
    try {
      localStorage.setItem(key, JSON.stringify(fields));
    } catch {
      // The browser stores nothing; the attributes are kept until the page is closed.
    }
    this.load();
  }

  /** Requests the values of the view. */
  async load() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    if (getComputedStyle(this.panel).display === "none") return;
    const fields = [...standard, ...this.fields];
    const blocks = new Map([...this.blocks.children].map((block) => [block.dataset.field, block]));
    for (const block of blocks.values()) if (!fields.includes(block.dataset.field)) block.remove();
    // One request at a time, so that those of the list take precedence.
    for (const field of fields) {
      let block;
      try {
        const values = await get("/api/values", { ...view.selection, field, limit: shown }, signal);
        block = this.#block(field, values);
      } catch (error) {
        if (isAbort(error)) return;
        block = this.#block(field, { values: [], distinct: 0 }, error.status === 400 ? "" : "not counted");
      }
      const focused = blocks.get(field)?.contains(document.activeElement) ? document.activeElement.dataset.condition : undefined;
      if (blocks.has(field)) blocks.get(field).replaceWith(block);
      else this.blocks.append(block);
      blocks.set(field, block);
      if (focused) [...block.querySelectorAll("button")].find((one) => one.dataset.condition === focused)?.focus();
    }
  }

  #block(field, { values, distinct }, problem = "") {
    const title = element("h2", {}, element("span", { dir: "auto" }, field));
    if (!standard.includes(field)) {
      title.append(element("button", {
        type: "button", class: "plain", "aria-label": `Do not show ${field}`,
        onclick: () => this.#change(this.fields.filter((one) => one !== field)),
      }, "×"));
    }
    const list = element("ul", {}, ...values.filter(({ value }) => value !== "" && typeof value !== "object")
      .map((one) => this.#value(field, one)));
    const rest = distinct - values.length;
    const note = problem || (values.length === 0 ? "none" : rest > 0 ? `and ${count(rest)} more` : "");
    return element("section", { data: { field } }, title, list, note ? element("p", { class: "note" }, note) : undefined);
  }

  #value(field, { value, count: number }) {
    const wanted = condition(field, value);
    const text = line(String(value), 120);
    return element("li", {},
      element("button", {
        type: "button", class: "plain value", title: text, data: { condition: wanted },
        "aria-pressed": String(has(view.q, wanted)), onclick: () => view.set({ q: toggled(view.q, wanted) }),
      }, element("span", { dir: "auto" }, text), element("span", { class: "number" }, count(number))),
      element("button", {
        type: "button", class: "plain", "aria-label": `Without ${field} ${text}`, data: { condition: `-${wanted}` },
        "aria-pressed": String(has(view.q, `-${wanted}`)), onclick: () => view.set({ q: toggled(view.q, `-${wanted}`) }),
      }, "−"));
  }
}
