// Values over time: speed, altitude, battery and records per minute, with the cursor of list, timeline and map.

import { get, isAbort } from "./api.js";
import { cursor } from "./cursor.js";
import { byID, debounced, element, setText } from "./dom.js";
import { full, milliseconds, speedUnit, tick } from "./format.js";
import { deviceColour } from "./tracks.js";
import { title } from "./devices.js";
import { view } from "./view.js";

const height = 96;
let loading;

/** Without the plugins that require inline styles, which the content security policy forbids. */
function prepared(Dygraph) {
  const { Legend, RangeSelector } = Dygraph.Plugins;
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Legend && plugin !== RangeSelector);
  return Dygraph;
}

/** Loads dygraphs, which is a classic script. */
function library() {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(element("link", { rel: "stylesheet", href: "/lib/dygraphs/dygraph.min.css" }));
    document.head.append(element("script", { src: "/lib/dygraphs/dygraph.min.js", onload: () => resolve(prepared(window.Dygraph)), onerror: reject }));
  });
  return loading;
}

/** The maximum number of points of a line, which is several hundred pixels wide. */
const most = 800;

/** The minimum and maximum of each section of a line with many points: it looks the same, and is drawn in a frame. */
function thinned(points) {
  if (points.length <= most) return points;
  const length = Math.ceil((2 * points.length) / most);
  const kept = [];
  for (let start = 0; start < points.length; start += length) {
    const some = points.slice(start, start + length);
    const least = some.reduce((best, one) => (one[1] < best[1] ? one : best));
    const greatest = some.reduce((best, one) => (one[1] > best[1] ? one : best));
    kept.push(...(least === greatest ? [least] : least[0] < greatest[0] ? [least, greatest] : [greatest, least]));
  }
  return kept;
}

/** The points of a line for an interval: one in its middle, or its minimum and maximum. */
function extremes({ time, least, greatest }, length, factor) {
  const start = milliseconds(time);
  if (least === greatest) return [[start + length / 2, least * factor]];
  return [[start + length / 4, least * factor], [start + (3 * length) / 4, greatest * factor]];
}

/** Rows for dygraphs, of several series with different times. */
function rows(series) {
  const byTime = new Map();
  for (const [column, points] of series.entries()) {
    for (const [at, value] of points) {
      const row = byTime.get(at) ?? byTime.set(at, [at, ...series.map(() => null)]).get(at);
      row[column + 1] = value;
    }
  }
  return [...byTime.values()].sort((left, right) => left[0] - right[0]);
}

/** The panel with the charts. */
export class Charts {
  #controller = new AbortController();
  #charts = [];
  #width = 0;

  constructor(timeline) {
    this.timeline = timeline;
    this.panel = byID("charts");
    this.button = element("button", {
      type: "button", class: "plain", "aria-pressed": "false", onclick: () => view.set({ charts: view.charts ? "" : "1" }),
    }, "Charts");
    this.refresh = debounced(150, () => this.load());
    cursor.addEventListener("change", () => this.#drawCursor());
    timeline.addEventListener("counted", () => this.refresh());
    view.on(["charts", "units", "zone"], () => this.load());
    const resize = debounced(100, () => {
      for (const { graph } of this.#charts) graph.resize();
      this.#drawCursor();
    });
    // Only the width matters: the height changes with the content.
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === this.#width) return;
      this.#width = contentRect.width;
      resize();
    }).observe(this.panel);
  }

  /** Requests the values, if the charts are shown. */
  async load() {
    const isShown = view.charts !== "";
    this.panel.hidden = !isShown;
    this.button.setAttribute("aria-pressed", String(isShown));
    if (!isShown) return;
    let Dygraph;
    try {
      Dygraph = await library();
    } catch {
      this.panel.replaceChildren(element("p", { class: "map-note" },
        "Charts require dygraphs. Install it on the server: apt-get install libjs-dygraphs"));
      return;
    }
    this.#controller.abort();
    this.#controller = new AbortController();
    try {
      const found = await this.#request(this.#controller.signal);
      this.#draw(Dygraph, found);
    } catch (error) {
      if (!isAbort(error)) this.panel.replaceChildren(element("p", { class: "map-note" }, error.message));
    }
  }

  async #request(signal) {
    const { since, until } = view.selection;
    const [histogram, measured] = await Promise.all([
      get("/api/histogram", { ...view.selection, by: "none", buckets: 400 }, signal),
      get("/api/series", { since, until, buckets: 400 }, signal).catch((error) => {
        // Without a store of positions, only records are shown.
        if (error.status === 404) return { devices: [] };
        throw error;
      }),
    ]);
    const minutes = histogram.interval / 60;
    const counts = histogram.buckets.map(({ time, counts }) => [
      milliseconds(time) + histogram.interval * 500, Object.values(counts).reduce((sum, one) => sum + one, 0) / minutes,
    ]);
    const [factor, unit] = speedUnit();
    const values = (name, factor) => new Map(measured.devices.map((one) => [
      one.device, one[name].flatMap((stretch) => extremes(stretch, measured.interval * 1000, factor)),
    ]).filter(([, points]) => points.length > 0));
    return [
      { name: `Speed, ${unit}`, series: values("speed", factor) },
      { name: "Altitude, m", series: values("altitude", 1) },
      { name: "Battery, %", series: values("battery", 100) },
      { name: "Records per minute", series: new Map([["", counts]]), isPlain: true },
    ].filter(({ series }) => [...series.values()].some((points) => points.length > 0));
  }

  #draw(Dygraph, found) {
    for (const { graph } of this.#charts) graph.destroy();
    const [start, end] = this.timeline.range;
    const colour = getComputedStyle(this.panel).color;
    const faint = getComputedStyle(byID("charts")).borderBottomColor;
    this.#charts = [];
    const devices = new Set();
    this.panel.replaceChildren();
    // All nodes are added before the first chart is drawn, because they share the width.
    const plots = found.map(({ name }) => {
      const plot = element("div", { class: "chart-plot", role: "img", "aria-label": name });
      const value = element("output", { class: "chart-value" });
      this.panel.append(element("figure", { class: "chart" }, element("figcaption", {}, name, " ", value), plot));
      return { plot, value };
    });
    for (const [index, { name, series, isPlain }] of found.entries()) {
      const { plot, value } = plots[index];
      const mark = element("div", { class: "chart-mark" });
      const data = rows([...series.values()].map(thinned));
      const graph = new Dygraph(plot, data, {
        // dygraphs inserts labels as HTML, so these are constants.
        labels: ["time", ...[...series.keys()].map((_, number) => `series ${number + 1}`)],
        height, legend: "never", connectSeparatedPoints: true, dateWindow: Number.isFinite(start) ? [start, end] : null,
        colors: [...series.keys()].map((device) => (isPlain ? colour : deviceColour(device))), strokeWidth: 1.5,
        axisLineColor: faint, gridLineColor: faint, highlightCircleSize: 0, rightGap: 8, includeZero: true,
        axes: {
          x: { axisLabelFormatter: (at) => tick(Number(at), end - start), axisLabelWidth: 70 },
          y: { axisLabelWidth: 44 },
        },
        interactionModel: {},
      });
      plot.append(mark);
      const move = (event) => cursor.set(graph.toDataXCoord(event.clientX - plot.getBoundingClientRect().left), this);
      plot.addEventListener("pointerdown", (event) => {
        plot.setPointerCapture(event.pointerId);
        move(event);
      });
      plot.addEventListener("pointermove", (event) => {
        if (plot.hasPointerCapture(event.pointerId)) move(event);
      });
      if (!isPlain) for (const device of series.keys()) devices.add(device);
      this.#charts.push({ graph, mark, value, data, name });
    }
    if (found.length === 0) this.panel.append(element("p", { class: "map-note" }, "No values in this time range."));
    if (devices.size > 1) {
      this.panel.prepend(element("p", { class: "speed-key" }, ...[...devices].map((device) => {
        const dot = element("span", { class: "dot" });
        dot.style.background = deviceColour(device);
        return element("span", { dir: "auto" }, dot, ` ${title(device)}`);
      })));
    }
    this.#drawCursor();
  }

  #drawCursor() {
    const { time } = cursor;
    for (const { graph, mark, value, data } of this.#charts) {
      const [start, end] = graph.xAxisRange();
      const isSeen = time >= start && time <= end;
      mark.hidden = !isSeen;
      if (!isSeen) {
        setText(value, "");
        continue;
      }
      mark.style.transform = `translateX(${graph.toDomXCoord(time)}px)`;
      let low = 0;
      let high = data.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (data[middle][0] <= time) low = middle + 1;
        else high = middle;
      }
      const numbers = data[low - 1]?.slice(1).filter((one) => one !== null).map((one) => one.toFixed(1));
      setText(value, numbers?.length > 0 ? `${numbers.join(", ")} at ${full(data[low - 1][0]).slice(11, 19)}` : "");
    }
  }
}
