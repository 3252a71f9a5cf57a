// All properties of a record.

import { copyText } from "./export.js";
import { announce, byID, element } from "./dom.js";
import { clock, day, milliseconds, size } from "./format.js";
import { condition, near, toggled } from "./query.js";
import { view } from "./view.js";

/** The number of characters of a message that are shown initially. */
const shown = 20_000;

/** Names and values of a record's attributes; nested objects have dotted names. */
function* entries(attributes, prefix = "") {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) yield* entries(value, `${prefix}${name}.`);
    else yield [prefix + name, value, prefix === ""];
  }
}

const filter = (wanted) => view.set({ q: toggled(view.q, wanted), id: "" });

function row(name, value, field) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const cell = element("td", {}, element("span", { dir: "auto" }, text));
  if (field !== undefined && typeof value !== "object") {
    const wanted = condition(field, value);
    cell.append(
      " ",
      element("button", { type: "button", class: "plain", "aria-label": `Only ${name} ${text.slice(0, 80)}`, onclick: () => filter(wanted) }, "+"),
      element("button", { type: "button", class: "plain", "aria-label": `Without ${name} ${text.slice(0, 80)}`, onclick: () => filter(`-${wanted}`) }, "−"));
  }
  return element("tr", {}, element("th", { scope: "row", dir: "auto" }, name), cell);
}

function body(text) {
  const message = element("pre", { dir: "auto", tabIndex: 0, "aria-label": "Message" }, text.slice(0, shown));
  if (text.length <= shown) return [message];
  const more = element("button", {
    type: "button", onclick: () => {
      message.textContent = text;
      more.remove();
    },
  }, `Show all ${size(text.length)}`);
  return [message, more];
}

/** The panel of a record. Sends `around` and `place` with the record. */
export class Detail extends EventTarget {
  constructor() {
    super();
    this.panel = byID("detail");
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /** Shows a record. */
  show(record) {
    this.record = record;
    const time = milliseconds(record.time);
    const send = (name) => () => this.dispatchEvent(Object.assign(new Event(name), { record }));
    const button = (label, onclick) => element("button", { type: "button", onclick }, label);
    const fields = [
      row("time", `${day(time)} ${clock(time)}`), row("time (UTC)", record.time),
      ...(record.arrival ? [row("arrival (UTC)", record.arrival)] : []),
      row("level", record.level, "level"),
      ...[["logger", "logger"], ["device", "device"], ["event", "event"]].filter(([name]) => record[name])
        .map(([name, field]) => row(name, record[name], field)),
      ...(record.lat !== undefined ? [row("place", `${record.lat.toFixed(6)}, ${record.lon.toFixed(6)}`)] : []),
      ...(record.trace_id ? [row("trace", record.trace_id, "trace"), row("span", record.span_id, "span")] : []),
      ...(record.file ? [row("source", `${record.file}:${record.line} ${record.function ?? ""}`)] : []),
      ...(record.run ? [row("run", record.run, "run")] : []),
      ...(record.seq !== undefined ? [row("number", record.seq)] : []),
    ];
    const attributes = [...entries(record.attributes ?? {})]
      .map(([name, value, isOwn]) => row(name, value, isOwn ? name : undefined));
    this.panel.replaceChildren(
      element("header", {},
        element("h2", {}, "Record"),
        element("button", { type: "button", class: "plain", "aria-label": "Close the record", onclick: () => this.close() }, "✕")),
      element("div", { class: "actions" },
        button("Around", send("around")),
        ...(record.lat !== undefined
          ? [button("On the map", send("place")), button("Near it", () => filter(near(record.lat, record.lon, 200)))] : []),
        button("Copy", () => this.#copy(JSON.stringify(strip(record), null, 2), "The record is copied.")),
        button("Copy link", () => this.#copy(new URL(view.address, location.href).href, "The link is copied."))),
      ...body(record.message),
      element("table", {}, element("tbody", {}, ...fields)),
      ...(attributes.length > 0
        ? [element("h2", {}, "Attributes"), element("table", {}, element("tbody", {}, ...attributes))] : []));
    this.panel.hidden = false;
  }

  async #copy(text, done) {
    await copyText(text);
    announce(done);
  }

  /** Hides the panel. */
  close() {
    if (this.panel.hidden) return;
    this.panel.hidden = true;
    this.record = undefined;
    this.dispatchEvent(new Event("closed"));
  }
}

/** A record without the properties that these pages add. */
function strip(record) {
  const { key, ...rest } = record;
  return rest;
}
