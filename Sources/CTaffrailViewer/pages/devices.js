// The markers of devices, and the list next to the map with the last position of each, its time and accuracy.

import { get } from "./api.js";
import { element, setText } from "./dom.js";
import { distance, duration, milliseconds, speed } from "./format.js";
import { trackLength } from "./geometry.js";
import { condition } from "./query.js";
import { deviceColour } from "./tracks.js";

const accuracyKey = "taffrail.geo.horizontal_accuracy";

/** The name of a device for users. */
export const title = (name) => name || "this machine";

/** Devices on the map. `onfollow` and `onselect` are called with a name. */
export class Devices {
  #known = new Map();

  constructor(L, map, tracks, list, { onfollow, onselect }) {
    Object.assign(this, { L, map, tracks, list, onfollow, onselect });
    this.layer = L.layerGroup().addTo(map);
    this.followed = "";
    setInterval(() => {
      if (!document.hidden) this.#tick();
    }, 1000);
  }

  get isEmpty() {
    return this.#known.size === 0;
  }

  /** The last position of a device. */
  position(name) {
    return this.#known.get(name)?.point;
  }

  /** Requests the devices, and the accuracy of each last position. */
  async load() {
    const { devices } = await get("/api/devices");
    for (const { name, position } of devices) {
      if (!position) continue;
      const at = position.time ? milliseconds(position.time) : NaN;
      if (!(this.#known.get(name)?.point.at >= at)) this.#place(name, { lat: position.lat, lon: position.lon, at });
    }
    this.drawList();
    await Promise.all(devices.filter(({ position }) => position).slice(0, 50).map(({ name }) => this.#loadExactness(name)));
    this.#tick();
  }

  async #loadExactness(name) {
    const q = `event:geo.location ${name ? condition("device", name) : ""}`.trim();
    const { records } = await get("/api/records", { q, limit: 1 }).catch(() => ({ records: [] }));
    const found = records[0];
    const known = this.#known.get(name);
    if (!found || !known || Math.abs(milliseconds(found.time) - known.point.at) > 60_000) return;
    this.#place(name, { ...known.point, accuracy: found.attributes?.[accuracyKey], speed: found.attributes?.["taffrail.geo.speed"] });
  }

  /** Updates a device with a position that has just arrived. */
  moved(name, point) {
    const isNew = !this.#known.has(name);
    if (!isNew && this.#known.get(name).point.at > point.at) return;
    this.#place(name, point);
    if (isNew) this.drawList();
  }

  #place(name, point) {
    const { L } = this;
    let known = this.#known.get(name);
    if (!known) {
      const colour = deviceColour(name);
      const dot = element("span", { class: "dot" });
      dot.style.background = colour;
      const marker = L.marker([point.lat, point.lon], {
        icon: L.divIcon({ className: "marker", html: dot, iconSize: [24, 24] }), keyboard: true, zIndexOffset: 1000,
      });
      const circle = L.circle([point.lat, point.lon], { radius: 0, color: colour, weight: 1, fillOpacity: 0.12, interactive: false });
      known = { marker, circle, point };
      this.#known.set(name, known);
      this.layer.addLayer(circle).addLayer(marker);
      marker.getElement()?.setAttribute("role", "button");
      marker.on("click keypress", (event) => {
        if (!event.originalEvent?.key || event.originalEvent.key === "Enter") this.onselect(name);
      });
    }
    known.point = point;
    known.marker.setLatLng([point.lat, point.lon]);
    known.circle.setLatLng([point.lat, point.lon]);
    known.circle.setRadius(Number.isFinite(point.accuracy) ? point.accuracy : 0);
    this.#label(name, known);
    if (this.followed === name) this.map.panTo([point.lat, point.lon], { animate: false });
  }

  /** Sets the label of a marker, for screen readers and pointers. */
  #label(name, { marker, point }) {
    const node = marker.getElement();
    if (!node) return;
    node.title = `${title(name)}: ${this.about(point)}`;
    node.setAttribute("aria-label", node.title);
    node.classList.toggle("old", Date.now() - point.at > 600_000);
  }

  /** The age, accuracy and speed of a position. */
  about({ at, accuracy, speed: metresPerSecond }) {
    return [
      Number.isFinite(at) ? `${duration(Date.now() - at)} ago` : "",
      Number.isFinite(accuracy) ? `±${distance(accuracy)}` : "",
      Number.isFinite(metresPerSecond) && metresPerSecond >= 0 ? speed(metresPerSecond) : "",
    ].filter(Boolean).join(", ");
  }

  #tick() {
    for (const [name, known] of this.#known) {
      const about = this.about(known.point);
      this.#label(name, known);
      const row = [...this.list.children].find((one) => one.dataset.device === name);
      if (row) setText(row.querySelector(".about"), about);
    }
  }

  /** Draws the list. */
  drawList() {
    const rows = [...this.#known].sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, { point }]) => {
      const track = this.tracks.of(name);
      const dot = element("span", { class: "dot", "aria-hidden": "true" });
      dot.style.background = deviceColour(name);
      return element("li", { data: { device: name } },
        element("button", { type: "button", class: "plain name", onclick: () => this.onselect(name) },
          dot, element("span", { dir: "auto" }, title(name))),
        element("span", { class: "about" }, this.about(point)),
        element("span", { class: "length" }, track && track.points.length > 1 ? distance(trackLength(track.points)) : ""),
        element("button", {
          type: "button", class: "plain", "aria-pressed": String(this.followed === name), "aria-label": `Follow ${title(name)}`,
          onclick: () => this.onfollow(this.followed === name ? "" : name),
        }, "Follow"));
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
  }
}
