// The map: current and past positions of the devices, and positions of records.

import { Latest, isAbort } from "./api.js";
import { addBasemap } from "./basemap.js";
import { Colours } from "./colours.js";
import { cursor } from "./cursor.js";
import { Devices, title } from "./devices.js";
import { announce, byID, debounced, element, setText } from "./dom.js";
import { clock, day, distance, duration, full, milliseconds } from "./format.js";
import { metres, unwrapped } from "./geometry.js";
import { Places } from "./places.js";
import { condition, near, toggled } from "./query.js";
import { addScale } from "./scale.js";
import { Tracks } from "./tracks.js";
import { view } from "./view.js";
import { Whereabouts } from "./whereabouts.js";

/** The maximum distance of a click from a track to select the track, in pixels. */
const reach = 14;

/** The panel with the map. */
export class MapPanel {
  #latest = new Latest();
  #isPlaced = false;
  #starting;
  #reload;

  constructor(journeys, control) {
    Object.assign(this, { journeys, control });
    this.panel = byID("map");
    this.note = element("p", { class: "map-note", role: "status", hidden: true });
    this.colours = new Colours();
    this.all = element("button", { type: "button", class: "plain", onclick: () => this.fit() }, "Show all");
    this.list = element("ul", { class: "devices", "aria-label": "Devices", hidden: true });
    this.node = element("div", { class: "leaflet", role: "application", "aria-label": "Map of positions", tabIndex: 0 });
    this.panel.append(element("div", { class: "list-bar" }, this.colours.select, this.colours.key, element("span", { class: "spacer" }), this.all),
      this.note, this.node, this.list);
    this.refresh = debounced(150, () => this.load());
  }

  /** Whether the map is visible. */
  get isSeen() {
    // Not by its size: this is called in each frame, and computing a layout takes long.
    return document.body.dataset.tab !== "logs";
  }

  /** Creates the map when it is first visible. */
  async #start() {
    let L;
    const link = element("link", { rel: "stylesheet", href: "/lib/leaflet/leaflet.css" });
    document.head.append(link);
    try {
      L = await import("/lib/leaflet/leaflet.esm.min.js");
    } catch {
      this.#showNote("The map requires Leaflet. Install it on the server: apt-get install libjs-leaflet");
      for (const one of [this.node, this.colours.select, this.all]) one.hidden = true;
      return false;
    }
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.L = L;
    this.map = L.map(this.node, {
      zoomAnimation: !isCalm, fadeAnimation: !isCalm, markerZoomAnimation: !isCalm, worldCopyJump: true, minZoom: 1, maxZoom: 19,
    });
    this.map.attributionControl.setPrefix("");
    const drawScale = addScale(L, this.map);
    view.on(["units"], drawScale);
    const place = /^(\d+)\/(-?[\d.]+)\/(-?[\d.]+)$/.exec(view.map);
    this.#isPlaced = place !== null;
    if (place) this.map.setView([Number(place[2]), Number(place[3])], Math.min(19, Number(place[1])), { animate: false });
    else this.map.setView([20, 10], 2, { animate: false });
    this.resolved = addBasemap(L, this.map);
    this.tracks = new Tracks(L, this.map);
    this.devices = new Devices(L, this.map, this.tracks, this.list, {
      onfollow: (name) => this.follow(name), onselect: (name) => this.select(name),
    });
    this.whereabouts = new Whereabouts(L, this.map, this.tracks, this.resolved);
    this.places = new Places(L, this.map, { onselect: (place) => this.#selectPlace(place) });
    this.colours.begin(this.tracks);
    const drawVisits = () => this.places.draw(this.journeys.visits);
    const drawHome = () => this.places.drawHome(this.control.home);
    this.journeys.addEventListener("change", drawVisits);
    this.control.addEventListener("home", drawHome);
    drawVisits();
    drawHome();
    this.places.load(this.resolved("--text"));
    this.route = L.layerGroup().addTo(this.map);
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

  #showNote(text) {
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
      await Promise.all([this.devices.load(), this.#loadTracks(), this.colours.load()]);
    } catch (error) {
      if (!isAbort(error)) this.#showNote(error.message);
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
    // Everything is requested until the map has a position; a box across the antimeridian would be two boxes.
    const isPart = this.#isPlaced && zoom >= 6 && bounds.getWest() > -180 && bounds.getEast() < 180;
    const box = isPart
      ? [Math.max(-90, bounds.getSouth()), bounds.getWest(), Math.min(90, bounds.getNorth()), bounds.getEast()].map((one) => one.toFixed(5)).join(",")
      : "";
    try {
      const { tracks } = await this.#latest.get("/api/tracks", { since, until, zoom: this.#isPlaced ? zoom : 14, box });
      this.tracks.take(tracks);
      // Also if the map was moved, and the previous request was cancelled.
      if (!this.#isPlaced) this.fit();
      this.#showNote(tracks.length === 0 && this.devices.isEmpty ? "No positions in this time range." : "");
      this.devices.drawList();
    } catch (error) {
      if (isAbort(error)) return;
      if (error.status === 404) this.#showNote("No positions are stored here.");
      else this.#showNote(error.message);
    }
  }

  /** Fits all tracks and devices on the map. */
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

  /** Keeps a device in the middle of the map; an empty name: none. */
  follow(name) {
    this.devices.followed = name;
    view.set({ follow: name });
    this.devices.drawList();
    const position = this.devices.position(name);
    if (name && position) this.map.panTo([position.lat, position.lon], { animate: false });
    if (name) announce(`Following ${title(name)}.`);
  }

  /** Shows parts of a route above the tracks. */
  showRoute(pieces) {
    if (!this.map) return;
    this.route.clearLayers();
    for (const points of pieces) {
      this.route.addLayer(this.L.polyline(unwrapped(points), { color: this.resolved("--cursor"), weight: 3, dashArray: "6 6", interactive: false }));
    }
  }

  /** Shows a visit or a trip. */
  showJourney({ lat, lon, from, to }) {
    if (!this.map) return;
    this.#isPlaced = true;
    if (from) this.map.fitBounds(this.L.latLngBounds([[from.lat, from.lon], [to.lat, to.lon]]).pad(0.3), { animate: false, maxZoom: 16 });
    else this.map.setView([lat, lon], Math.max(14, this.map.getZoom()), { animate: false });
  }

  // The cursor

  /** Shows the positions of the devices at a time. */
  showTime(time) {
    if (!this.map || !this.isSeen) return;
    this.whereabouts.show(time);
  }

  /** Shows the position of a record. */
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

  /** Shows a device with its actions. */
  select(name) {
    const position = this.devices.position(name);
    if (!position) return;
    const home = this.places.home ? `, ${distance(metres(this.places.home, position))} from home` : "";
    this.#popup([position.lat, position.lon], `${title(name)}: ${this.devices.about(position)}${home}`, [
      ["Follow", () => this.follow(name)],
      ["Its records", () => view.set({ q: name ? toggled(view.q, condition("device", name)) : view.q, id: "" })],
      ["Records near it", () => view.set({ q: toggled(view.q, near(position.lat, position.lon, 500)), id: "" })],
    ]);
  }

  #selectPlace({ lat, lon, radius = 200, name, visits }) {
    this.#popup([lat, lon], name, [
      ...visits.slice(0, 5).map(({ start, end }) => [
        `${day(start)} ${clock(start).slice(0, 5)}, ${duration(end - start)}`, () => cursor.set(start, this),
      ]),
      ["Records near it", () => view.set({ q: toggled(view.q, near(lat, lon, Math.round(radius))), id: "" })],
    ]);
  }

  /** Updates the map with records that have just arrived. */
  arrived(records) {
    if (!this.map) return;
    for (const record of records) {
      if (record.event !== "geo.location" || record.lat === undefined) continue;
      if (!record.device) {
        // Only the stores contain the name of this machine's device.
        this.#reload ??= setTimeout(() => {
          this.#reload = undefined;
          this.load();
        }, 2000);
        continue;
      }
      const point = {
        lat: record.lat, lon: record.lon, time: record.time, at: milliseconds(record.time),
        speed: record.attributes?.["taffrail.geo.speed"], accuracy: record.attributes?.["taffrail.geo.horizontal_accuracy"],
        mode: record.attributes?.["taffrail.ping.mode"],
      };
      this.tracks.add(record.device ?? "", point);
      this.devices.moved(record.device ?? "", point);
    }
    if (!this.#isPlaced) this.fit();
  }
}
