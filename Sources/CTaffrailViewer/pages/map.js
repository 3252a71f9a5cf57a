// The map: where the devices are and were, and where things were logged.

import { Latest, isAbort } from "./api.js";
import { addBasemap } from "./basemap.js";
import { cursor } from "./cursor.js";
import { Devices, title } from "./devices.js";
import { announce, byID, debounced, element, setText } from "./dom.js";
import { full, milliseconds, preferences, speed, timestamp } from "./format.js";
import { positionAt } from "./geometry.js";
import { condition, near, toggled } from "./query.js";
import { speedKey, Tracks } from "./tracks.js";
import { view } from "./view.js";

/** How far from a track a click still means it, in pixels. */
const reach = 14;

/** The panel with the map. */
export class MapPanel {
  #latest = new Latest();
  #exact = new Latest();
  #cursors = new Map();
  #isPlaced = false;
  #starting;
  #reload;

  constructor(logs) {
    this.logs = logs;
    this.panel = byID("map");
    this.note = element("p", { class: "map-note", role: "status", hidden: true });
    this.colours = element("button", {
      type: "button", class: "plain", "aria-pressed": "false", onclick: () => this.#toggleColours(),
    }, "Colour by speed");
    this.all = element("button", { type: "button", class: "plain", onclick: () => this.fit() }, "Show all");
    this.key = element("span", { class: "speed-key", hidden: true });
    this.list = element("ul", { class: "devices", "aria-label": "Devices", hidden: true });
    this.node = element("div", { class: "leaflet", role: "application", "aria-label": "Map of positions", tabIndex: 0 });
    this.panel.append(element("div", { class: "list-bar" }, this.colours, this.key, element("span", { class: "gap" }), this.all),
      this.note, this.node, this.list);
    this.refresh = debounced(150, () => this.load());
    this.#exactly = debounced(150, (time) => this.#loadExactly(time));
  }

  #exactly;

  /** Whether the map can be seen. */
  get isSeen() {
    return this.panel.clientWidth > 0;
  }

  /** Makes the map, once it is seen. */
  async #start() {
    let L;
    const link = element("link", { rel: "stylesheet", href: "/lib/leaflet/leaflet.css" });
    document.head.append(link);
    try {
      L = await import("/lib/leaflet/leaflet.esm.min.js");
    } catch {
      this.#say("The map needs Leaflet. Install it where the server runs: apt-get install libjs-leaflet");
      for (const one of [this.node, this.colours, this.all]) one.hidden = true;
      return false;
    }
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.L = L;
    this.map = L.map(this.node, {
      zoomAnimation: !isCalm, fadeAnimation: !isCalm, markerZoomAnimation: !isCalm, worldCopyJump: true, minZoom: 1, maxZoom: 19,
    });
    this.map.attributionControl.setPrefix("");
    L.control.scale({ metric: preferences.units !== "imperial", imperial: preferences.units === "imperial" }).addTo(this.map);
    const place = /^(\d+)\/(-?[\d.]+)\/(-?[\d.]+)$/.exec(view.map);
    this.#isPlaced = place !== null;
    if (place) this.map.setView([Number(place[2]), Number(place[3])], Math.min(19, Number(place[1])), { animate: false });
    else this.map.setView([20, 10], 2, { animate: false });
    this.resolved = addBasemap(L, this.map);
    this.tracks = new Tracks(L, this.map);
    this.devices = new Devices(L, this.map, this.tracks, this.list, {
      onfollow: (name) => this.follow(name), onchoose: (name) => this.choose(name),
    });
    this.pin = L.layerGroup().addTo(this.map);
    this.devices.followed = view.follow;
    this.map.on("moveend", () => {
      const { lat, lng } = this.map.getCenter();
      view.set({ map: `${this.map.getZoom()}/${lat.toFixed(5)}/${lng.toFixed(5)}` });
      this.refreshTracks();
    });
    this.map.on("dragstart", () => {
      if (this.devices.followed) this.follow("");
    });
    this.map.on("click", (event) => this.#clicked(event));
    this.refreshTracks = debounced(200, () => this.#loadTracks());
    new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(this.node);
    return true;
  }

  #say(text) {
    this.note.hidden = text === "";
    setText(this.note, text);
  }

  /** Requests devices and tracks of the view. */
  async load() {
    if (!this.isSeen) return;
    this.#starting ??= this.#start();
    if (!await this.#starting) return;
    this.map.invalidateSize({ animate: false });
    if (this.range !== `${view.since} ${view.until} ${view.range}`) this.tracks.clear();
    this.range = `${view.since} ${view.until} ${view.range}`;
    try {
      await Promise.all([this.devices.load(), this.#loadTracks()]);
    } catch (error) {
      if (!isAbort(error)) this.#say(error.message);
      return;
    }
    this.devices.drawList();
    if (!this.#isPlaced) this.fit();
    this.showTime(cursor.time);
    if (this.record) this.showRecord(this.record);
  }

  async #loadTracks() {
    const { since, until } = view.selection;
    const zoom = this.map.getZoom();
    const bounds = this.map.getBounds().pad(0.5);
    // Until the map has its place, everything is wanted; a box across the antimeridian would be two.
    const isPart = this.#isPlaced && zoom >= 6 && bounds.getWest() > -180 && bounds.getEast() < 180;
    const box = isPart
      ? [Math.max(-90, bounds.getSouth()), bounds.getWest(), Math.min(90, bounds.getNorth()), bounds.getEast()].map((one) => one.toFixed(5)).join(",")
      : "";
    try {
      const { tracks } = await this.#latest.get("/api/tracks", { since, until, zoom: this.#isPlaced ? zoom : 14, box });
      this.tracks.take(tracks);
      this.#say(tracks.length === 0 && this.devices.isEmpty ? "No positions in this time." : "");
      this.devices.drawList();
    } catch (error) {
      if (isAbort(error)) return;
      if (error.status === 404) this.#say("No positions are stored here.");
      else this.#say(error.message);
    }
  }

  /** Shows everything there is. */
  fit() {
    if (!this.map) return;
    const bounds = this.tracks.bounds;
    for (const { position } of this.#positions()) bounds.extend([position.lat, position.lon]);
    if (!bounds.isValid()) return;
    this.#isPlaced = true;
    this.map.fitBounds(bounds.pad(0.1), { animate: false, maxZoom: 16 });
  }

  * #positions() {
    for (const name of this.tracks.devices) {
      const position = this.devices.position(name);
      if (position) yield { name, position };
    }
  }

  /** Keeps a device in the middle; an empty name: none. */
  follow(name) {
    this.devices.followed = name;
    view.set({ follow: name });
    this.devices.drawList();
    const position = this.devices.position(name);
    if (name && position) this.map.panTo([position.lat, position.lon], { animate: false });
    if (name) announce(`Following ${title(name)}.`);
  }

  #toggleColours() {
    this.tracks.isBySpeed = !this.tracks.isBySpeed;
    this.colours.setAttribute("aria-pressed", String(this.tracks.isBySpeed));
    this.key.hidden = !this.tracks.isBySpeed;
    this.key.replaceChildren(...speedKey.map(([limit, colour]) => {
      const dot = element("span", { class: "dot" });
      dot.style.background = colour;
      return element("span", {}, dot, Number.isFinite(limit) ? `≤ ${speed(limit)}` : "faster");
    }));
    this.tracks.draw();
  }

  // The one time

  /** Shows where the devices were at a time. */
  showTime(time) {
    if (!this.map || !this.isSeen) return;
    let isSimplified = false;
    for (const name of this.tracks.devices) {
      const track = this.tracks.of(name);
      isSimplified ||= track.total > track.points.length;
      this.#mark(name, Number.isFinite(time) ? positionAt(track.points, time) : undefined);
    }
    if (isSimplified && Number.isFinite(time)) this.#exactly(time);
  }

  /** The simplified line is right about where, but not about when. */
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
      // The approximate position stays.
    }
  }

  #mark(name, position) {
    const known = this.#cursors.get(name);
    if (!position) {
      known?.remove();
      this.#cursors.delete(name);
      return;
    }
    if (known) return void known.setLatLng([position.lat, position.lon]);
    this.#cursors.set(name, this.L.circleMarker([position.lat, position.lon], {
      radius: 8, weight: 3, color: this.resolved("--cursor"), fill: false, interactive: false,
    }).addTo(this.map));
  }

  /** Shows where a record was logged. */
  showRecord(record, isWanted = false) {
    this.record = record;
    if (!this.map) return;
    this.pin.clearLayers();
    if (!record || record.lat === undefined) return;
    const place = [record.lat, record.lon];
    this.pin.addLayer(this.L.circleMarker(place, {
      radius: 5, weight: 2, color: this.resolved("--cursor"), fillColor: this.resolved("--cursor"), fillOpacity: 1, interactive: false,
    }));
    if (isWanted) this.map.setView(place, Math.max(14, this.map.getZoom()), { animate: false });
    else if (this.isSeen && !this.map.getBounds().contains(place)) this.map.panTo(place, { animate: false });
  }

  #clicked({ latlng, containerPoint }) {
    const found = this.tracks.nearest(containerPoint, reach);
    if (found) {
      cursor.set(found.at, this);
      announce(`${title(found.device)} at ${full(found.at)}`);
      return;
    }
    const { lat, lng } = latlng.wrap();
    this.#popup(latlng, `${lat.toFixed(5)}, ${lng.toFixed(5)}`, [["Records near here", () => view.set({ q: toggled(view.q, near(lat, lng, 500)), id: "" })]]);
  }

  #popup(place, text, actions) {
    const content = element("div", { class: "popup" }, element("p", { dir: "auto" }, text), ...actions.map(([label, action]) =>
      element("button", { type: "button", onclick: () => {
        this.map.closePopup();
        action();
      } }, label)));
    this.L.popup({ autoPanPadding: [20, 20] }).setLatLng(place).setContent(content).openOn(this.map);
  }

  /** Shows a device and what can be done with it. */
  choose(name) {
    const position = this.devices.position(name);
    if (!position) return;
    this.#popup([position.lat, position.lon], `${title(name)}: ${this.devices.about(position)}`, [
      ["Follow", () => this.follow(name)],
      ["Its records", () => view.set({ q: name ? toggled(view.q, condition("device", name)) : view.q, id: "" })],
      ["Records near it", () => view.set({ q: toggled(view.q, near(position.lat, position.lon, 500)), id: "" })],
    ]);
  }

  /** Takes records that have just arrived. */
  arrived(records) {
    if (!this.map) return;
    for (const record of records) {
      if (record.event !== "geo.location" || record.lat === undefined) continue;
      if (!record.device) {
        // Only the stores know which device this machine is.
        this.#reload ??= setTimeout(() => {
          this.#reload = undefined;
          this.load();
        }, 2000);
        continue;
      }
      const point = {
        lat: record.lat, lon: record.lon, time: record.time, at: milliseconds(record.time),
        speed: record.attributes?.["taffrail.geo.speed"], accuracy: record.attributes?.["taffrail.geo.horizontal_accuracy"],
      };
      this.tracks.add(record.device ?? "", point);
      this.devices.moved(record.device ?? "", point);
    }
    if (!this.#isPlaced) this.fit();
  }
}
