// The choice of the map's line colours, and their legend.

import { get } from "./api.js";
import { element } from "./dom.js";
import { milliseconds } from "./format.js";
import { colourings } from "./tracks.js";
import { view } from "./view.js";

/** The maximum number of pages of a thousand pings that are searched for modes. */
const pages = 20;

/** The choice next to the map. */
export class Colours {
  #controller = new AbortController();

  constructor() {
    this.key = element("span", { class: "speed-key", hidden: true });
    this.select = element("select", { "aria-label": "Colour lines by", onchange: () => view.set({ colour: this.select.value }) },
      ...Object.entries(colourings).map(([value, [text]]) => element("option", { value }, `Colour by ${text}`)));
    view.on(["colour", "units"], () => this.show());
  }

  /** Colours these lines. */
  begin(tracks) {
    this.tracks = tracks;
    this.show();
  }

  get #selected() {
    return Object.hasOwn(colourings, view.colour) ? view.colour : "device";
  }

  show() {
    this.select.value = this.#selected;
    const key = colourings[this.#selected][1]();
    this.key.hidden = key.length === 0;
    this.key.replaceChildren(...key.map(([text, colour]) => {
      const dot = element("span", { class: "dot" });
      dot.style.background = colour;
      return element("span", {}, dot, " ", text);
    }));
    if (!this.tracks || this.tracks.colouring === this.#selected) return;
    this.tracks.colouring = this.#selected;
    this.tracks.draw();
    this.load();
  }

  /** Requests the modes of the time range, if they are shown. The tracks do not contain them. */
  async load() {
    const { since, until } = view.selection;
    if (this.#selected !== "mode" || !this.tracks) return;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const found = [];
    let cursor;
    // Newest first, so that the oldest are omitted.
    for (let page = 0; page < pages && cursor !== null; page += 1) {
      const { records, next } = await get("/api/records", { q: "event:geo.location taffrail.ping.mode:*", since, until, limit: 1000, cursor }, signal)
        .catch(() => ({ records: [], next: null }));
      found.push(...records);
      cursor = next;
    }
    if (signal.aborted) return;
    const modes = new Map();
    for (const { device = "", time, attributes = {} } of found.reverse()) {
      const mode = attributes["taffrail.ping.mode"];
      if (typeof mode !== "string") continue;
      if (!modes.has(device)) modes.set(device, []);
      if (modes.get(device).at(-1)?.mode !== mode) modes.get(device).push({ at: milliseconds(time), mode });
    }
    if (modes.size > 0) this.tracks.takeModes(modes);
  }
}
