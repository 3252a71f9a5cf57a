// The visits and trips of the devices in the time range, the periods without a fix between them, and lost records.

import { get, isAbort } from "./api.js";
import { milliseconds } from "./format.js";
import { view } from "./view.js";

/** The minimum gap between visits and trips that counts as a period without a fix, in milliseconds. */
const shortestGap = 300_000;

/** The periods between the visits and trips of each device. */
function gaps(journeys) {
  const byDevice = Map.groupBy(journeys, ({ device }) => device);
  return [...byDevice].flatMap(([device, all]) => {
    const found = [];
    let end = Infinity;
    for (const one of all.sort((left, right) => left.start - right.start)) {
      if (one.start - end >= shortestGap) found.push({ kind: "gap", device, start: end, end: one.start });
      end = Math.max(Number.isFinite(end) ? end : one.end, one.end);
    }
    return found;
  });
}

/** The journeys. Sends `change` when they have changed. */
export class Journeys extends EventTarget {
  #controller = new AbortController();

  visits = [];
  trips = [];
  gaps = [];
  losses = [];
  /** The reason why there are none, for users; empty otherwise. */
  problem = "";

  /** Requests the journeys of the time range. */
  async load() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const { since, until } = view.selection;
    let [visits, trips] = [[], []];
    // Not every server has a ledger.
    const lost = get("/losses", {}, signal).catch(() => ({ losses: [] }));
    this.problem = "";
    try {
      const found = await Promise.all([
        get("/api/visits", { since, until }, signal), get("/api/trips", { since, until }, signal),
      ]);
      visits = found[0].visits;
      trips = found[1].trips;
    } catch (error) {
      if (isAbort(error)) return;
      this.problem = error.status === 404 ? "No positions are stored here." : error.message;
    }
    const losses = (await lost).losses.map((one) => ({ ...one, kind: "loss", start: milliseconds(one.time), end: milliseconds(one.time) }));
    if (signal.aborted) return;
    this.visits = visits.map((one) => ({
      ...one, kind: "visit", start: milliseconds(one.arrival), end: milliseconds(one.departure),
    }));
    // A trip without positions is a period without a fix.
    this.trips = trips.filter(({ points }) => points !== 0).map((one) => ({
      ...one, kind: "trip", start: milliseconds(one.departure), end: milliseconds(one.arrival), cause: one.start,
    }));
    this.gaps = gaps(this.all);
    this.losses = losses;
    this.dispatchEvent(new Event("change"));
  }

  /** Visits and trips, by their starts. */
  get all() {
    return [...this.visits, ...this.trips].sort((left, right) => left.start - right.start);
  }
}
