// The offline base map: countries of Natural Earth, and a graticule.

import { get } from "./api.js";
import { addTowns } from "./towns.js";

const steps = [45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Text as HTML, because Leaflet interprets attributions as HTML. */
const escaped = (text) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** Adds the server's tiles, if any. */
async function addTiles(L, map) {
  try {
    const { least, greatest, attribution } = await get("/tiles.json");
    if (greatest === undefined) return;
    const pane = map.createPane("tiles");
    pane.style.zIndex = 160;
    L.tileLayer("/tiles/{z}/{x}/{y}", { pane: "tiles", minZoom: least, maxZoom: 19, minNativeZoom: least, maxNativeZoom: greatest }).addTo(map);
    map.attributionControl.addAttribution(escaped(attribution));
  } catch {
    // Tracks are useful without tiles.
  }
}

/** Adds land, graticule, tiles and names of towns to a map. */
export function addBasemap(L, map) {
  const pane = map.createPane("base");
  pane.style.zIndex = 150;
  pane.style.pointerEvents = "none";
  const renderer = L.canvas({ pane: "base", padding: 0.3 });
  const land = L.layerGroup().addTo(map);
  const grid = L.layerGroup().addTo(map);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  let shapes;

  function resolved(name) {
    // Custom properties that depend on the colour scheme are resolved only where they are used.
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value || color(name);
  }

  function drawLand() {
    if (!shapes) return;
    land.clearLayers();
    const style = { renderer, pane: "base", interactive: false, weight: 1, color: resolved("--coast"), fillColor: resolved("--land"), fillOpacity: 1 };
    for (const rings of shapes) L.polygon(rings, style).addTo(land);
  }

  function drawGrid() {
    grid.clearLayers();
    const bounds = map.getBounds();
    const height = bounds.getNorth() - bounds.getSouth();
    const step = steps.find((one) => height / one >= 3) ?? steps.at(-1);
    const style = { renderer, pane: "base", interactive: false, weight: 0.5, opacity: 0.6, color: resolved("--coast") };
    const [south, north] = [Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth())];
    const [west, east] = [Math.max(-540, bounds.getWest()), Math.min(540, bounds.getEast())];
    for (let latitude = Math.ceil(south / step) * step; latitude <= north; latitude += step) {
      L.polyline([[latitude, west], [latitude, east]], style).addTo(grid);
    }
    for (let longitude = Math.ceil(west / step) * step; longitude <= east; longitude += step) {
      L.polyline([[south, longitude], [north, longitude]], style).addTo(grid);
    }
  }

  async function load() {
    try {
      const world = await (await fetch("/viewer/world.json")).json();
      // Stored as longitude and latitude, as usual in geographic data.
      shapes = world.land.map((rings) => rings.map((ring) => ring.map(([longitude, latitude]) => [latitude, longitude])));
      map.attributionControl.addAttribution(world.origin);
      drawLand();
    } catch {
      // Tracks are useful without the base map.
    }
  }

  const recolour = () => {
    drawLand();
    drawGrid();
  };
  map.on("moveend", drawGrid);
  addEventListener("theme", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  drawGrid();
  load();
  addTiles(L, map);
  addTowns(L, map, (text) => map.attributionControl.addAttribution(escaped(text)));
  return resolved;
}
