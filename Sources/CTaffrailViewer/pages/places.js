// Places on the map: stays of devices, places of the configuration, and the home.

import { get } from "./api.js";
import { element } from "./dom.js";
import { counted, day, clock, distance, duration } from "./format.js";
import { metres } from "./geometry.js";
import { title } from "./devices.js";
import { deviceColour } from "./tracks.js";

/** The maximum number of places. */
const most = 100;
/** The distance within which visits of a device belong to one place, in metres. */
const together = 100;
/** The radius of a visit, in metres. */
const radius = 100;

/** The places of visits, by their latest visit, newest first. */
function places(visits) {
  const found = [];
  for (const visit of [...visits].reverse()) {
    const place = found.find(({ device, lat, lon }) => device === visit.device && metres({ lat, lon }, visit) <= together);
    if (place) {
      place.visits.push(visit);
    } else if (found.length < most) {
      found.push({ device: visit.device, lat: visit.lat, lon: visit.lon, visits: [visit] });
    }
  }
  return found;
}

/** Places on a map. `onselect` is called with a place, its name and its visits. */
export class Places {
  #drawn = "";

  constructor(L, map, { onselect }) {
    Object.assign(this, { L, onselect });
    this.stays = L.layerGroup().addTo(map);
    this.homes = L.layerGroup().addTo(map);
    this.named = L.layerGroup().addTo(map);
  }

  /** Requests the places of the configuration, and shows them with their circles. */
  async load(colour) {
    const { places } = await get("/places").catch(() => ({ places: [] }));
    this.named.clearLayers();
    for (const { name, lat, lon, radius } of places) {
      this.named.addLayer(this.L.circle([lat, lon], { radius, color: colour, weight: 2, fillOpacity: 0.06, interactive: false }));
      this.#mark(this.named, { lat, lon, radius, visits: [] }, "named", `Place ${name}, radius ${distance(radius)}`);
    }
  }

  /** Shows visits. */
  draw(visits) {
    // Unchanged markers are kept, because one may have the focus.
    const state = JSON.stringify(visits);
    if (state === this.#drawn) return;
    this.#drawn = state;
    this.stays.clearLayers();
    for (const place of places(visits)) {
      const [latest] = place.visits;
      const sum = place.visits.reduce((sum, { start, end }) => sum + end - start, 0);
      const name = `${title(place.device)}: ${counted(place.visits.length, "visit")}, ${duration(sum)}, last ${day(latest.start)} `
        + clock(latest.start).slice(0, 5);
      const circle = this.L.circle([place.lat, place.lon], {
        radius, color: deviceColour(place.device), weight: 1, dashArray: "4 3", fillOpacity: 0.1, interactive: false,
      });
      this.stays.addLayer(circle);
      this.#mark(this.stays, place, "visit", name, deviceColour(place.device));
    }
  }

  /** Shows the home; undefined: none. */
  drawHome(home) {
    this.home = home;
    this.homes.clearLayers();
    if (home) this.#mark(this.homes, { ...home, visits: [] }, "home", "Home");
  }

  #mark(layer, place, kind, name, colour) {
    const sign = element("span", { class: `place ${kind}`, "aria-hidden": "true" }, kind === "home" ? "⌂" : "");
    if (colour) sign.style.borderColor = colour;
    const marker = this.L.marker([place.lat, place.lon], {
      icon: this.L.divIcon({ className: "place-marker", html: sign, iconSize: [24, 24] }), keyboard: true,
    });
    marker.on("click keypress", (event) => {
      if (!event.originalEvent?.key || event.originalEvent.key === "Enter") this.onselect({ ...place, name });
    });
    layer.addLayer(marker);
    const node = marker.getElement();
    node?.setAttribute("role", "button");
    node?.setAttribute("aria-label", name);
    if (node) node.title = name;
  }
}
