// The scale of the map, in the units of the options. Leaflet's own does not support nautical miles.

import { element } from "./dom.js";
import { distance, preferences } from "./format.js";

const widest = 100;
const metres = { metric: 1, imperial: 0.3048, nautical: 1 };
const long = { metric: 1000, imperial: 1609.344, nautical: 1852 };

/** The greatest 1, 2 or 5 times a power of ten that is not above a number. */
function round(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * ([5, 2].find((one) => number >= one * power) ?? 1);
}

/** Adds a scale to a map, and returns a function that redraws it. */
export function addScale(L, map) {
  const line = element("div", { class: "leaflet-control-scale-line" });
  const control = new L.Control({ position: "bottomleft" });
  control.onAdd = () => element("div", { class: "leaflet-control-scale", "aria-hidden": "true" }, line);
  const draw = () => {
    const middle = map.getSize().y / 2;
    const most = map.distance(map.containerPointToLatLng([0, middle]), map.containerPointToLatLng([widest, middle]));
    if (!(most > 0)) return;
    const unit = most >= long[preferences.units] ? long[preferences.units] : metres[preferences.units];
    const length = round(most / unit) * unit;
    line.style.width = `${Math.round((widest * length) / most)}px`;
    line.textContent = distance(length);
  };
  control.addTo(map);
  map.on("moveend", draw);
  map.whenReady(draw);
  return draw;
}
