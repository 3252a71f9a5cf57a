// Visits, trips and periods without a fix as bars below the counts, a lane for each device, and one for lost records.

import { cursor } from "./cursor.js";
import { title } from "./devices.js";
import { element, shape } from "./dom.js";
import { clock, counted, day, distance, duration } from "./format.js";
import { deviceColour } from "./tracks.js";

/** The maximum number of lanes. */
const most = 6;
/** The width and height of a lane, in units independent of pixels. */
const width = 10_000;
const height = 10;
/** The minimum width of a bar. */
const least = 15;

/** The description of a bar for users. */
export function about(one) {
  const length = duration(one.end - one.start);
  const times = `${day(one.start)} ${clock(one.start).slice(0, 5)} to ${clock(one.end).slice(0, 5)}`;
  switch (one.kind) {
    case "trip": return `Trip, ${times}, ${length}, ${distance(one.distance)}`;
    case "visit": return `Visit, ${times}, ${length}${one.open ? ", in progress" : ""}`;
    case "loss": return `Lost: ${counted(one.count, "record")}, reason ${one.reason}${one.sink ? `, sink ${one.sink}` : ""}, recorded ${day(one.start)} ${clock(one.start)}`;
    default: return `No fix, ${times}, ${length}`;
  }
}

/** The top and the height of a kind of bar: they differ by more than colour. */
const places = { trip: [0, 10], visit: [5, 5], gap: [4, 2], loss: [0, 10] };

/** A lane with bars; `colour` is that of trips and visits. */
function lane(label, bars, start, end, name, colour) {
  const x = (time) => ((Math.min(Math.max(time, start), end) - start) / Math.max(1, end - start)) * width;
  const made = bars.map((one) => {
    const [top, tall] = places[one.kind];
    const bar = shape("rect", {
      class: one.kind, x: x(one.start), y: top, width: Math.max(least, x(one.end) - x(one.start)), height: tall,
    }, shape("title", {}, name(one)));
    if (one.kind === "trip" || one.kind === "visit") bar.style.fill = colour;
    return bar;
  });
  return shape("svg", {
    class: "lane", role: "img", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-label": label,
  }, ...made);
}

/** The lanes. */
export class Bars {
  constructor(timeline, journeys) {
    this.timeline = timeline;
    this.journeys = journeys;
    this.node = element("div", { class: "bars", hidden: true });
    timeline.plot.after(this.node);
    this.#listen();
    timeline.addEventListener("counted", () => this.draw());
    journeys.addEventListener("change", () => this.draw());
  }

  draw() {
    const [start, end] = this.timeline.range;
    const { visits, trips, gaps, losses } = this.journeys;
    const isSeen = (one) => one.end >= start && one.start <= end;
    const lost = losses.filter(isSeen);
    // The last one drawn is on top.
    const byDevice = Map.groupBy([...gaps, ...visits, ...trips].filter(isSeen), ({ device }) => device);
    const devices = [...byDevice.keys()].sort();
    this.node.hidden = devices.length === 0 && lost.length === 0;
    this.node.replaceChildren(
      ...(lost.length > 0 ? [this.#losses(lost, start, end)] : []),
      ...devices.slice(0, most).map((device) => this.#lane(device, byDevice.get(device), start, end)),
      ...(devices.length > most ? [element("p", { class: "note" }, `and ${counted(devices.length - most, "more device")}`)] : []));
  }

  #losses(lost, start, end) {
    const sum = lost.reduce((sum, { count }) => sum + count, 0);
    return lane(`Lost: ${counted(sum, "record")}`, lost, start, end, about);
  }

  #lane(device, bars, start, end) {
    const of = (kind, noun) => counted(bars.filter((one) => one.kind === kind).length, noun);
    const label = `${title(device)}: ${of("trip", "trip")}, ${of("visit", "visit")}, ${of("gap", "period")} without a fix`;
    return lane(label, bars, start, end, (one) => `${title(device)}: ${about(one)}`, deviceColour(device));
  }

  // A click on a lane selects a time; with keys, the history pane does the same.
  #listen() {
    this.node.addEventListener("click", (event) => {
      const lane = event.target.closest(".lane");
      if (!lane) return;
      const { left, width } = lane.getBoundingClientRect();
      const [start, end] = this.timeline.range;
      cursor.set(start + ((event.clientX - left) / Math.max(1, width)) * (end - start), this);
    });
  }
}
