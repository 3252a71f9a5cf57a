// Routes: trips that are chosen in the history, merged, cut and simplified, and saved as files.

import { get, isAbort } from "./api.js";
import { cursor } from "./cursor.js";
import { announce, element, setText } from "./dom.js";
import { saveFile } from "./export.js";
import { clock, count, counted, distance, milliseconds, timestamp } from "./format.js";
import { simplified, trackLength } from "./geometry.js";
import { trackFormats } from "./trackfile.js";

/** Distances in metres, from the line, of points that may be left out. */
const tolerances = [0, 2, 5, 20, 100];

const keyOf = ({ device, start }) => `${start} ${device}`;

/** The editor of a route. It sends `change` when other trips are chosen. */
export class Route extends EventTarget {
  #chosen = new Map();
  #controller = new AbortController();
  #tracks = [];
  #cut = [-Infinity, Infinity];

  constructor() {
    super();
    this.facts = element("p", { role: "status" });
    this.simplify = element("select", { "aria-label": "Simplify", onchange: () => this.#draw() }, ...tolerances.map((metres) =>
      element("option", { value: String(metres) }, metres === 0 ? "All points" : `Within ${distance(metres)}`)));
    const button = (label, onclick) => element("button", { type: "button", onclick }, label);
    this.buttons = [
      button("Begin at the time", () => this.#cutAt(0)), button("End at the time", () => this.#cutAt(1)),
      button("Uncut", () => this.#uncut()), button("Save GPX", () => this.#save("gpx")), button("Save recording", () => this.#save("json")),
      button("None", () => this.clear()),
    ];
    this.node = element("section", { class: "route", "aria-label": "Route", hidden: true },
      element("h2", {}, "Route"), this.facts, element("div", { class: "buttons" }, this.simplify, ...this.buttons));
  }

  /** The box that chooses a trip. */
  box(trip, name) {
    return element("input", {
      type: "checkbox", checked: this.#chosen.has(keyOf(trip)), "aria-label": `Part of the route: ${name}`,
      onchange: (event) => this.#choose(trip, event.target.checked),
    });
  }

  #choose(trip, isChosen) {
    if (isChosen) this.#chosen.set(keyOf(trip), trip);
    else this.#chosen.delete(keyOf(trip));
    this.#cut = [-Infinity, Infinity];
    this.#load();
  }

  /** Chooses no trip. */
  clear() {
    this.#chosen.clear();
    this.#load();
    this.dispatchEvent(new Event("change"));
  }

  async #load() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const trips = [...this.#chosen.values()].sort((left, right) => left.start - right.start);
    this.node.hidden = trips.length === 0;
    this.#tracks = [];
    try {
      this.#tracks = await Promise.all(trips.map(async ({ device, start, end }) => {
        const { tracks } = await get("/api/tracks", { device, since: timestamp(start), until: timestamp(end + 1), zoom: 24 }, signal);
        const { points = [], total = 0 } = tracks.find((track) => track.device === device) ?? {};
        return { device, total, points: points.map((point) => ({ ...point, at: milliseconds(point.time) })) };
      }));
      this.#draw();
    } catch (error) {
      if (!isAbort(error)) setText(this.facts, error.message);
    }
  }

  /** What would be saved: the points of each trip, those of one device in one piece where they touch. */
  get #pieces() {
    const [start, end] = this.#cut;
    const tolerance = Number(this.simplify.value);
    return this.#tracks.map(({ points }) => simplified(points.filter(({ at }) => at >= start && at <= end), tolerance))
      .filter((points) => points.length > 0);
  }

  #draw() {
    const pieces = this.#pieces;
    const points = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const all = this.#tracks.reduce((sum, { total }) => sum + total, 0);
    const [start, end] = this.#cut;
    setText(this.facts, [
      counted(this.#tracks.length, "trip"), distance(pieces.reduce((sum, piece) => sum + trackLength(piece), 0)),
      `${count(points)} of ${counted(all, "point")}`, Number.isFinite(start) ? `from ${clock(start)}` : "",
      Number.isFinite(end) ? `to ${clock(end)}` : "",
    ].filter(Boolean).join(", "));
    for (const button of this.buttons.slice(3, 5)) button.disabled = points === 0;
    this.dispatchEvent(Object.assign(new Event("drawn"), { pieces }));
  }

  #cutAt(side) {
    if (!Number.isFinite(cursor.time)) return announce("Choose a time first.");
    this.#cut[side] = cursor.time;
    this.#draw();
  }

  #uncut() {
    this.#cut = [-Infinity, Infinity];
    this.#draw();
  }

  #save(extension) {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    const [type, write] = trackFormats[extension];
    const name = [...new Set(this.#tracks.map(({ device }) => device))].join(", ");
    saveFile(`route-${pieces[0][0].time.slice(0, 10)}.${extension}`, type, write(name, pieces));
    announce("The route is saved.");
  }
}
