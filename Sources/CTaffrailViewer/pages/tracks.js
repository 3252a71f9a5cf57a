// The lines of devices on the map.

import { milliseconds, speed } from "./format.js";
import { indexAt, unwrapped } from "./geometry.js";

const lines = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#7b52ab", "#a33b20"];
/** Colours, and the speeds up to which each is used, in metres per second. */
const speedColours = [[1, "#7f7f7f"], [5, "#2c7bb6"], [14, "#00a087"], [25, "#e08214"], [Infinity, "#d7191c"]];
/** The modes of the pinger. */
const modeColours = new Map([["moving", "#d55e00"], ["stationaryDay", "#0072b2"], ["homeOrNight", "#7b52ab"]]);
const unknown = "#7f7f7f";

/** The properties by which lines can be coloured: the name, and the legend as labels and colours. */
export const colourings = {
  device: ["device", () => []],
  speed: ["speed", () => speedColours.map(([limit, colour]) => [Number.isFinite(limit) ? `≤ ${speed(limit)}` : "faster", colour])],
  mode: ["mode", () => [
    ["moving", modeColours.get("moving")], ["by day", modeColours.get("stationaryDay")],
    ["at home or night", modeColours.get("homeOrNight")], ["unknown", unknown],
  ]],
};

const colourOf = (speed) => (speed === undefined ? unknown : speedColours.find(([limit]) => speed <= limit)[1]);

/** The maximum number of points of a path. */
const piece = 200;

const order = [];

/** The colour of a device, on the map and in charts. */
export function deviceColour(device) {
  if (!order.includes(device)) order.push(device);
  return lines[order.indexOf(device) % lines.length];
}

/** Whether two sets of tracks are drawn alike. */
function isSame(before, after) {
  return before.size === after.size && [...after].every(([device, { points }]) => {
    const others = before.get(device)?.points ?? [];
    return others.length === points.length && points.every(({ at, lat, lon }, index) =>
      at === others[index].at && lat === others[index].lat && lon === others[index].lon);
  });
}

/** The tracks of the devices, by name. */
export class Tracks {
  #byDevice = new Map();
  #modes = new Map();
  /** One of `colourings`. */
  colouring = "device";

  constructor(L, map) {
    this.L = L;
    this.map = map;
    this.layer = L.layerGroup().addTo(map);
    this.renderer = L.canvas({ padding: 0.4, tolerance: 6 });
  }

  /** Replaces the tracks by those of the server, with the positions that have arrived since. */
  take(tracks) {
    const before = this.#byDevice;
    this.#byDevice = new Map();
    for (const { device, total, points } of tracks) {
      const timed = points.map((point) => ({ ...point, at: milliseconds(point.time) }));
      // Positions that have arrived since the request.
      const last = timed.at(-1)?.at ?? -Infinity;
      const live = before.get(device)?.live.filter((point) => point.at > last) ?? [];
      this.#byDevice.set(device, { points: [...timed, ...live], live, total: total + live.length });
    }
    for (const [device, track] of before) {
      if (!this.#byDevice.has(device) && track.live.length > 0) this.#byDevice.set(device, { points: track.live, live: track.live, total: track.live.length });
    }
    // Drawing takes a hundred times as long as comparing.
    if (!isSame(before, this.#byDevice)) this.draw();
  }

  /** Sets the modes of devices: by device, times and the modes that began then. */
  takeModes(modes) {
    this.#modes = modes;
    if (this.colouring === "mode") this.draw();
  }

  #colour(device, point) {
    switch (this.colouring) {
      case "speed": return colourOf(point.speed);
      case "mode": {
        const modes = this.#modes.get(device) ?? [];
        return modeColours.get(point.mode ?? modes[indexAt(modes, point.at)]?.mode) ?? unknown;
      }
      default: return deviceColour(device);
    }
  }

  /** Removes everything, before another time range is requested. */
  clear() {
    this.#byDevice.clear();
    this.draw();
  }

  /** Adds a position that has just arrived. */
  add(device, point) {
    const track = this.#byDevice.get(device) ?? { points: [], live: [], total: 0 };
    this.#byDevice.set(device, track);
    if (point.at <= (track.points.at(-1)?.at ?? -Infinity)) return;
    track.points.push(point);
    track.live.push(point);
    if (track.live.length > 5000) track.live.shift();
    track.total += 1;
    const before = track.points.at(-2);
    if (before) this.#line([before, point], this.#colour(device, point));
  }

  #line(points, color) {
    const places = unwrapped(points);
    const options = { renderer: this.renderer, color, weight: 4, lineJoin: "bevel", smoothFactor: 1.5, interactive: false };
    // Many short paths are drawn faster than a long one that crosses itself.
    for (let start = 0; start === 0 || start < places.length - 1; start += piece) {
      this.L.polyline(places.slice(start, start + piece + 1), options).addTo(this.layer);
    }
  }

  /** Draws all lines. */
  draw() {
    this.layer.clearLayers();
    for (const [device, { points }] of this.#byDevice) {
      if (this.colouring === "device") {
        if (points.length > 0) this.#line(points, deviceColour(device));
        continue;
      }
      let run = [];
      let colour;
      for (const point of points) {
        const next = this.#colour(device, point);
        if (next !== colour && run.length > 0) {
          this.#line([...run, point], colour);
          run = [];
        }
        colour = next;
        run.push(point);
      }
      if (run.length > 1) this.#line(run, colour);
    }
  }

  get devices() {
    return [...this.#byDevice.keys()];
  }

  /** The track of a device. */
  of(device) {
    return this.#byDevice.get(device);
  }

  /** The area that the tracks cover. */
  get bounds() {
    const bounds = this.L.latLngBounds([]);
    for (const { points } of this.#byDevice.values()) for (const place of unwrapped(points)) bounds.extend(place);
    return bounds;
  }

  /** The point of the tracks nearest to a point of the screen, within a distance in pixels. */
  nearest(place, limit) {
    let best;
    let least = limit;
    for (const [device, { points }] of this.#byDevice) {
      const places = unwrapped(points).map((one) => this.map.latLngToContainerPoint(one));
      for (const [index, end] of places.entries()) {
        const start = places[index - 1] ?? end;
        const length = (end.x - start.x) ** 2 + (end.y - start.y) ** 2;
        const part = length === 0 ? 1
          : Math.min(1, Math.max(0, ((place.x - start.x) * (end.x - start.x) + (place.y - start.y) * (end.y - start.y)) / length));
        const away = Math.hypot(start.x + (end.x - start.x) * part - place.x, start.y + (end.y - start.y) * part - place.y);
        if (away >= least) continue;
        least = away;
        const from = points[Math.max(0, index - 1)].at;
        best = { device, at: from + (points[index].at - from) * part };
      }
    }
    return best;
  }
}
