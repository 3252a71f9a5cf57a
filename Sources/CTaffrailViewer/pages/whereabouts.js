// The positions of the devices at the time of the cursor.

import { Latest } from "./api.js";
import { cursor } from "./cursor.js";
import { debounced } from "./dom.js";
import { milliseconds, timestamp } from "./format.js";
import { positionAt } from "./geometry.js";

/** Rings on the map, one for each device. */
export class Whereabouts {
  #exact = new Latest();
  #rings = new Map();

  constructor(L, map, tracks, resolved) {
    Object.assign(this, { L, map, tracks, resolved });
    this.#exactly = debounced(150, (time) => this.#loadExactly(time));
  }

  #exactly;

  /** Shows the positions at a time. */
  show(time) {
    let isSimplified = false;
    for (const name of this.tracks.devices) {
      const track = this.tracks.of(name);
      isSimplified ||= track.total > track.points.length;
      this.#mark(name, Number.isFinite(time) ? positionAt(track.points, time) : undefined);
    }
    if (isSimplified && Number.isFinite(time)) this.#exactly(time);
  }

  /** Requests the exact position, because times on a simplified line are approximate. */
  async #loadExactly(time) {
    try {
      const { tracks } = await this.#exact.get("/api/tracks", {
        since: timestamp(time - 60_000), until: timestamp(time + 60_000), zoom: 24,
      });
      if (cursor.time !== time) return;
      for (const { device, points } of tracks) {
        this.#mark(device, positionAt(points.map((point) => ({ ...point, at: milliseconds(point.time) })), time));
      }
    } catch {
      // The approximate position is kept.
    }
  }

  #mark(name, position) {
    const known = this.#rings.get(name);
    if (!position) {
      known?.remove();
      this.#rings.delete(name);
      return;
    }
    if (known) return void known.setLatLng([position.lat, position.lon]);
    this.#rings.set(name, this.L.circleMarker([position.lat, position.lon], {
      radius: 8, weight: 3, color: this.resolved("--cursor"), fill: false, interactive: false,
    }).addTo(this.map));
  }
}
