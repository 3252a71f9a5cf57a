// Routes: trips that are selected in the history, and saved as files. The server merges, cuts and simplifies them, with
// the functions of `taffrail recordings merge|cut|simplify`.

import { get, getFile, isAbort } from "./api.js";
import { cursor } from "./cursor.js";
import { announce, element, setText } from "./dom.js";
import { saveFile } from "./export.js";
import { clock, count, counted, distance, timestamp } from "./format.js";
import { trackLength } from "./geometry.js";

/** The maximum distances from the line of points that may be omitted, in metres. */
const tolerances = [0, 2, 5, 20, 100];

/** The files of a route, by extension: the name of the format for the server, and the media type. */
const formats = { gpx: ["gpx", "application/gpx+xml"], json: ["recording", "application/json"] };

const keyOf = ({ device, start }) => `${start} ${device}`;

/** The editor of a route. Sends `change` when the selected trips have changed. */
export class Route extends EventTarget {
  #selected = new Map();
  #controller = new AbortController();
  #pieces = [];
  #cut = [-Infinity, Infinity];

  constructor() {
    super();
    this.facts = element("p", { role: "status" });
    this.simplify = element("select", { "aria-label": "Simplify", onchange: () => this.#load() }, ...tolerances.map((metres) =>
      element("option", { value: String(metres) }, metres === 0 ? "All points" : `Within ${distance(metres)}`)));
    const button = (label, onclick) => element("button", { type: "button", onclick }, label);
    this.buttons = [
      button("Start at cursor", () => this.#cutAt(0)), button("End at cursor", () => this.#cutAt(1)),
      button("Reset range", () => this.#uncut()), button("Save GPX", () => this.#save("gpx")), button("Save recording", () => this.#save("json")),
      button("None", () => this.clear()),
    ];
    this.node = element("section", { class: "route", "aria-label": "Route", hidden: true },
      element("h2", {}, "Route"), this.facts, element("div", { class: "buttons" }, this.simplify, ...this.buttons));
  }

  /** The check box of a trip. */
  box(trip, name) {
    return element("input", {
      type: "checkbox", checked: this.#selected.has(keyOf(trip)), "aria-label": `Part of the route: ${name}`,
      onchange: (event) => this.#select(trip, event.target.checked),
    });
  }

  #select(trip, isSelected) {
    if (isSelected) this.#selected.set(keyOf(trip), trip);
    else this.#selected.delete(keyOf(trip));
    this.#cut = [-Infinity, Infinity];
    this.#load();
  }

  /** Removes a deleted trip from the route. */
  forget(trip) {
    if (this.#selected.delete(keyOf(trip))) this.#load();
  }

  /** Removes all trips from the route. */
  clear() {
    this.#selected.clear();
    this.#load();
    this.dispatchEvent(new Event("change"));
  }

  get #trips() {
    return [...this.#selected.values()].sort((left, right) => left.start - right.start);
  }

  /** The request to the server. */
  get #request() {
    const [from, to] = this.#cut;
    return {
      trip: this.#trips.map(({ device, start, end }) => `${timestamp(start)}/${timestamp(end + 1)}/${device}`),
      from: Number.isFinite(from) ? timestamp(from) : "",
      // Includes the whole millisecond.
      to: Number.isFinite(to) ? timestamp(to).replace("Z", "999999Z") : "",
      tolerance: this.simplify.value,
    };
  }

  async #load() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.node.hidden = this.#selected.size === 0;
    try {
      let tracks = [];
      if (this.#selected.size > 0) ({ tracks } = await get("/api/route", this.#request, signal));
      this.#pieces = tracks;
      this.#draw();
    } catch (error) {
      if (isAbort(error)) return;
      this.#pieces = [];
      this.#draw();
      setText(this.facts, error.message);
    }
  }

  #draw() {
    const pieces = this.#pieces.map(({ points }) => points);
    const sum = (of) => this.#pieces.reduce((sum, piece) => sum + of(piece), 0);
    const points = sum((piece) => piece.points.length);
    const [start, end] = this.#cut;
    setText(this.facts, [
      counted(this.#selected.size, "trip"), distance(sum((piece) => trackLength(piece.points))),
      `${count(points)} of ${counted(sum((piece) => piece.total), "point")}`, Number.isFinite(start) ? `from ${clock(start)}` : "",
      Number.isFinite(end) ? `to ${clock(end)}` : "",
    ].filter(Boolean).join(", "));
    for (const button of this.buttons.slice(3, 5)) button.disabled = points === 0;
    this.dispatchEvent(Object.assign(new Event("drawn"), { pieces }));
  }

  #cutAt(side) {
    if (!Number.isFinite(cursor.time)) return announce("Select a time first.");
    this.#cut[side] = cursor.time;
    this.#load();
  }

  #uncut() {
    this.#cut = [-Infinity, Infinity];
    this.#load();
  }

  async #save(extension) {
    const [first] = this.#pieces;
    if (!first) return;
    const [format, type] = formats[extension];
    try {
      saveFile(`route-${first.points[0].time.slice(0, 10)}.${extension}`, type, [await getFile("/api/route", { ...this.#request, format })]);
      announce("The route is saved.");
    } catch (error) {
      setText(this.facts, error.message);
    }
  }
}
