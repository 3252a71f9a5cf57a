// The history pane: days with their trips and visits, and deletion.

import { about } from "./bars.js";
import { cursor } from "./cursor.js";
import { title } from "./devices.js";
import { confirmed } from "./dialog.js";
import { announce, byID, element, setText } from "./dom.js";
import { count, counted, day, distance, duration, full, milliseconds, preferences, timestamp } from "./format.js";
import { Route } from "./route.js";
import { deviceColour } from "./tracks.js";
import { view } from "./view.js";

/** The maximum number of days that are shown initially. */
const shown = 14;

/** The start of a day, in milliseconds since 1970; NaN for anything that is not a day. */
const startOf = (date) => Date.parse(preferences.zone === "utc" ? `${date}T00:00:00Z` : `${date}T00:00:00`);

/** A size for users. */
const bytes = (number) => (number < 1 << 20 ? `${Math.ceil(number / 1024)} KiB` : `${(number / (1 << 20)).toFixed(1)} MiB`);

/** The pane. `onshow` is called with a visit or a trip, `ondelete` after a deletion. */
export class HistoryPane {
  #days = shown;
  #drawn = "";
  #canDelete = false;

  constructor(journeys, control, { onshow, ondelete }) {
    Object.assign(this, { journeys, control, onshow, ondelete });
    this.days = element("div");
    this.stores = element("div");
    this.status = element("p", { class: "note", role: "status" });
    this.route = new Route();
    this.route.addEventListener("change", () => this.draw());
    byID("history").append(this.route.node, element("h2", {}, "Days"), this.days, this.stores, this.status);
    journeys.addEventListener("change", () => this.draw());
    control.addEventListener("change", () => this.#drawStores());
    this.#drawStores();
  }

  /** Draws the days. */
  draw() {
    const { all, gaps, problem } = this.journeys;
    const days = [...Map.groupBy([...all, ...gaps], ({ start }) => day(start))].sort(([left], [right]) => (left < right ? 1 : -1));
    const rest = days.length - this.#days;
    // They may change once a minute, even while one has the focus.
    const controls = () => [...this.days.querySelectorAll("button, input")];
    const focused = controls().indexOf(document.activeElement);
    this.days.replaceChildren(
      ...days.slice(0, this.#days).map(([date, some]) => this.#day(date, some)),
      ...(days.length === 0 ? [element("p", {}, problem || "No trips or visits in this time range. They are detected within a minute after positions arrive.")] : []),
      ...(rest > 0 ? [element("button", { type: "button", onclick: () => {
        this.#days = Infinity;
        this.draw();
      } }, `Show ${counted(rest, "more day")}`)] : []));
    if (focused >= 0) controls()[focused]?.focus();
  }

  #day(date, some) {
    const trips = some.filter(({ kind }) => kind === "trip");
    const visits = some.filter(({ kind }) => kind === "visit");
    const sum = (all, of) => all.reduce((sum, one) => sum + of(one), 0);
    const length = ({ start, end }) => end - start;
    const facts = [
      `${counted(trips.length, "trip")}, ${distance(sum(trips, (one) => one.distance))}, ${duration(sum(trips, length))}`,
      `${counted(visits.length, "visit")}, ${duration(sum(visits, length))}`,
    ].join("; ");
    const start = startOf(date);
    return element("section", { class: "day" },
      element("h3", {}, element("button", {
        type: "button", class: "plain", title: "Only this day",
        onclick: () => view.set({ range: "", since: timestamp(start), until: timestamp(this.#next(start)), id: "" }),
      }, date), " ", element("span", { class: "note" }, facts)),
      element("ul", {}, ...some.sort((left, right) => left.start - right.start).map((one) => this.#row(one))));
  }

  /** The start of the day after one that may have 23 or 25 hours. */
  #next(start) {
    const noon = new Date(start + 36 * 3_600_000);
    return startOf(day(noon.getTime()));
  }

  #row(one) {
    const dot = element("span", { class: "dot", "aria-hidden": "true" });
    dot.style.background = one.kind === "gap" ? "" : deviceColour(one.device);
    const name = `${title(one.device)}, ${about(one)}`;
    return element("li", { class: one.kind }, one.kind === "trip" ? this.route.box(one, name) : undefined,
      element("button", { type: "button", class: "plain", onclick: () => this.#show(one) },
        dot, " ", element("span", { dir: "auto" }, title(one.device)), ": ", about(one).replace(/, \d{4}-\d\d-\d\d /, ", ")),
      ...(one.kind === "gap" ? [] : [element("button", {
        type: "button", class: "plain", "aria-label": `Only the time of: ${name}`,
        onclick: () => view.set({ range: "", since: timestamp(one.start), until: timestamp(one.end + 1), id: "" }),
      }, "Only")]),
      ...(one.kind === "trip" && this.#positionStores.length > 0 ? [element("button", {
        type: "button", class: "plain", "aria-label": `Delete the trip: ${name}`, onclick: () => this.#removeTrip(one, name),
      }, "Delete…")] : []));
  }

  /** The stores that contain the points of trips. */
  get #positionStores() {
    return this.control.of("store").filter(({ status }) => status.holds === "positions");
  }

  async #removeTrip(trip, name) {
    const text = `All positions of ${name} will be deleted, and cannot be restored. Log records of the trip are kept.`;
    // Nanoseconds since 1970, which exceed JavaScript's numbers.
    const body = { command: "purge", device: trip.device, since: `${trip.start}000000`, before: `${trip.end + 1}000000` };
    const isDeleted = await this.#remove(this.#positionStores.map((store) => store.name), "Delete the trip", text, "Delete the trip", body);
    if (isDeleted) this.route.forget(trip);
  }

  #show(one) {
    cursor.set(one.start, this);
    this.onshow(one);
    announce(`${title(one.device)}: ${about(one)}`);
  }

  // Deleting

  #drawStores() {
    const stores = this.control.of("store");
    // Statuses of replays change every second, while the user may be typing a date.
    const state = JSON.stringify([stores, this.control.problem]);
    if (state === this.#drawn) return;
    // Trips can be deleted once a store is known.
    const hasPositions = this.#positionStores.length > 0;
    if (hasPositions !== this.#canDelete) this.draw();
    this.#canDelete = hasPositions;
    this.#drawn = state;
    const focused = document.activeElement?.dataset.store;
    const kept = new Map([...this.stores.querySelectorAll("input")].map((input) => [input.dataset.store, input.value]));
    this.stores.replaceChildren(element("h2", {}, "Delete"), ...(stores.length === 0
      ? [element("p", {}, this.control.problem || "No store accepts commands.")]
      : stores.map((store) => this.#store(store, kept))));
    if (focused) this.stores.querySelector(`[data-store="${CSS.escape(focused)}"]`)?.focus();
  }

  #store({ name, status }, kept) {
    const facts = [
      `${counted(status.rows, "row")}`, status.bytes === undefined ? "" : bytes(status.bytes),
      status.oldest ? `since ${full(milliseconds(status.oldest)).slice(0, 16)}` : "",
    ].filter(Boolean).join(", ");
    const date = element("input", { type: "date", data: { store: `${name} date` }, "aria-label": `Delete from ${name} before`, value: kept.get(`${name} date`) ?? "" });
    const before = async () => {
      const time = startOf(date.value);
      if (!Number.isFinite(time)) return setText(this.status, "Select a day first.");
      const text = `Everything in ${name} before ${date.value} will be deleted, and cannot be restored.`;
      // Nanoseconds since 1970, which exceed JavaScript's numbers.
      await this.#remove([name], `Delete from ${name}`, text, `Delete before ${date.value}`, { command: "purge", before: `${time}000000` });
    };
    const all = () => this.#remove(
      [name], `Delete from ${name}`, `All of ${name}, ${facts}, will be deleted, and cannot be restored.`, "Delete everything", { command: "clear" });
    return element("section", { class: "store" }, element("h3", {}, element("span", { dir: "auto" }, name), " ", element("span", { class: "note" }, facts)),
      element("div", { class: "buttons" }, date,
        element("button", { type: "button", data: { store: `${name} before` }, onclick: before }, "Delete before…"),
        element("button", { type: "button", data: { store: `${name} all` }, onclick: all }, "Delete all…")));
  }

  /** Deletes from stores after confirmation, and returns whether the data was deleted. */
  async #remove(names, question, text, label, body) {
    if (!await confirmed(question, text, label)) return false;
    setText(this.status, "Deleting…");
    try {
      let purged = 0;
      for (const name of names) purged += await this.control.remove(name, body);
      setText(this.status, `${count(purged)} deleted from ${names.join(", ")}.`);
      this.ondelete();
      return true;
    } catch (error) {
      setText(this.status, `Not deleted: ${error.message}`);
      return false;
    }
  }
}
