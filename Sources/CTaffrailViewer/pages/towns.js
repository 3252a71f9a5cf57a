// Names of towns on the map, from the server's geocoder database, if any.

import { Latest, isAbort } from "./api.js";
import { debounced, element } from "./dom.js";

/** The maximum number of visible names. */
const most = 60;
/** The space around a name, in pixels. */
const margin = 6;

const wrapped = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** Adds names to a map. If there is not enough space, larger towns take precedence. */
export function addTowns(L, map, attribute) {
  const pane = map.createPane("towns");
  // Above land and tiles, below tracks.
  pane.style.zIndex = 300;
  pane.style.pointerEvents = "none";
  pane.setAttribute("aria-hidden", "true");
  const names = L.layerGroup().addTo(map);
  const latest = new Latest();
  const canvas = document.createElement("canvas").getContext("2d");
  let isAttributed = false;

  function draw(towns, west) {
    names.clearLayers();
    canvas.font = `12px ${getComputedStyle(map.getContainer()).fontFamily}`;
    const size = map.getSize();
    const taken = [];
    for (const { name, lat, lon } of towns) {
      if (taken.length >= most) break;
      // On the visible copy of the world.
      const place = L.latLng(lat, lon + 360 * Math.ceil((west - lon) / 360));
      const { x, y } = map.latLngToContainerPoint(place);
      const width = canvas.measureText(name).width;
      const box = { left: x - margin, right: x + width + margin + 8, top: y - 8 - margin, bottom: y + 8 + margin };
      if (box.left < 0 || box.right > size.x || box.top < 0 || box.bottom > size.y) continue;
      if (taken.some((one) => one.left < box.right && one.right > box.left && one.top < box.bottom && one.bottom > box.top)) continue;
      taken.push(box);
      const html = element("span", {}, name);
      names.addLayer(L.marker(place, {
        pane: "towns", interactive: false, keyboard: false, icon: L.divIcon({ className: "town", html, iconSize: null, iconAnchor: [3, 8] }),
      }));
    }
  }

  async function load() {
    const bounds = map.getBounds();
    const [south, north] = [Math.max(-90, bounds.getSouth()), Math.min(90, bounds.getNorth())];
    const isWhole = bounds.getEast() - bounds.getWest() >= 360;
    const [west, east] = isWhole ? [-180, 180] : [wrapped(bounds.getWest()), wrapped(bounds.getEast())];
    try {
      const { towns, attribution } = await latest.get("/towns", { box: [south, west, north, east].map((one) => one.toFixed(4)).join(",") });
      draw(towns, isWhole ? -180 : bounds.getWest());
      if (attribution && !isAttributed) attribute(attribution);
      isAttributed ||= attribution !== "";
    } catch (error) {
      // Tracks are useful without names.
      if (!isAbort(error)) names.clearLayers();
    }
  }

  map.on("moveend resize", debounced(200, load));
  load();
}
