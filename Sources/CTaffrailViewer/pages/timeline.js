// Counts by level over time. Dragging zooms; a click or the slider moves the cursor.

import { Latest, isAbort } from "./api.js";
import { cursor } from "./cursor.js";
import { byID, debounced, element, setText, shape } from "./dom.js";
import { count, counted, full, milliseconds, tick, timestamp } from "./format.js";
import { view } from "./view.js";

const levels = ["critical", "error", "warning", "notice", "info", "debug", "trace"];
const height = 56;
/** The distance after which a pointer movement is a drag, in pixels. */
const dragStart = 4;

/** The panel with the histogram. Sends `counted` with the total. */
export class Timeline extends EventTarget {
  #latest = new Latest();
  #buckets = [];
  #start = NaN;
  #end = NaN;
  #drag;
  #width = 0;

  constructor() {
    super();
    this.plot = shape("svg", { class: "plot", height, role: "img", "aria-label": "Records over time", preserveAspectRatio: "none" });
    this.bars = shape("g");
    this.ticks = shape("g", { class: "ticks" });
    this.brush = shape("rect", { class: "brush", y: 0, height, width: 0 });
    this.mark = shape("line", { class: "mark", y1: 0, y2: height });
    this.plot.append(this.bars, this.brush, this.mark);
    this.axis = element("div", { class: "axis", "aria-hidden": "true" });
    this.slider = element("input", {
      type: "range", class: "slider", min: 0, max: 1000, step: "any", value: 1000, "aria-label": "Time",
      oninput: () => cursor.set(this.#start + (this.#end - this.#start) * (Number(this.slider.value) / 1000), this),
    });
    this.where = element("output", { class: "where" });
    this.out = element("button", { type: "button", class: "plain", hidden: true, onclick: () => this.zoomOut() }, "Zoom out");
    this.note = element("span", { class: "note" });
    this.bar = element("div", { class: "timeline-bar" }, this.slider, this.where, this.note, this.out);
    byID("timeline").append(
      this.plot, this.axis, this.bar);
    this.#listen();
  }

  #listen() {
    this.plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !Number.isFinite(this.#start)) return;
      this.plot.setPointerCapture(event.pointerId);
      this.#drag = { from: event.offsetX, to: event.offsetX };
    });
    this.plot.addEventListener("pointermove", (event) => {
      if (!this.#drag) return;
      this.#drag.to = Math.min(Math.max(event.offsetX, 0), this.plot.clientWidth);
      this.#drawBrush();
    });
    this.plot.addEventListener("pointerup", () => {
      const drag = this.#drag;
      this.#drag = undefined;
      this.#drawBrush();
      if (!drag) return;
      if (Math.abs(drag.to - drag.from) < dragStart) return cursor.set(this.#time(drag.from), this);
      this.zoom(this.#time(Math.min(drag.from, drag.to)), this.#time(Math.max(drag.from, drag.to)));
    });
    this.plot.addEventListener("pointercancel", () => {
      this.#drag = undefined;
      this.#drawBrush();
    });
    cursor.addEventListener("change", () => this.#drawCursor());
    const draw = debounced(50, () => this.#draw());
    // The size is observed here, because reading it when the cursor moves would force a new layout.
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === this.#width) return;
      this.#width = contentRect.width;
      draw();
    }).observe(this.plot);
    this.refresh = debounced(60, () => this.load());
  }

  #time(x) {
    return this.#start + ((this.#end - this.#start) * x) / Math.max(1, this.#width);
  }

  #x(time) {
    return ((time - this.#start) / (this.#end - this.#start)) * this.#width;
  }

  /** The time range that is shown, in milliseconds; NaN if it is unknown. */
  get range() {
    return [this.#start, this.#end];
  }

  /** Requests the counts of the view. */
  async load() {
    this.out.hidden = !view.since && !view.until && !view.range;
    try {
      const histogram = await this.#latest.get("/api/histogram", { ...view.selection, by: "level", buckets: 120 });
      this.#take(histogram);
      setText(this.note, histogram.since ? `counted since ${full(milliseconds(histogram.since))}` : "");
      this.dispatchEvent(Object.assign(new Event("counted"), { total: histogram.total }));
    } catch (error) {
      if (isAbort(error)) return;
      setText(this.note, error.status === 400 ? "" : `Not counted: ${error.message}`);
      this.dispatchEvent(Object.assign(new Event("counted"), { total: undefined }));
    }
  }

  #take(histogram) {
    const length = histogram.interval * 1000;
    this.#buckets = histogram.buckets.map(({ time, counts }) => ({ time: milliseconds(time), length, counts }));
    const { since, until } = view;
    const first = this.#buckets[0]?.time ?? NaN;
    const last = (this.#buckets.at(-1)?.time ?? NaN) + length;
    this.#start = since && !view.range ? milliseconds(since) : first;
    this.#end = until && !view.range ? milliseconds(until) : last;
    if (Number.isNaN(this.#start)) this.#start = first;
    if (Number.isNaN(this.#end)) this.#end = last;
    const of = (level) => this.#buckets.reduce((sum, { counts }) => sum + (counts[level] ?? 0), 0);
    const named = levels.slice(0, 3).map((level) => [of(level), level]).filter(([number]) => number > 0);
    this.plot.setAttribute("aria-label", [
      `${counted(histogram.total, "record")} over time`, ...named.map(([number, level]) => `${count(number)} ${level}`),
    ].join(", "));
    this.slider.disabled = !Number.isFinite(this.#start);
    this.#draw();
  }

  #draw() {
    const width = this.#width;
    const most = Math.max(1, ...this.#buckets.map(({ counts }) => Object.values(counts).reduce((sum, one) => sum + one, 0)));
    const made = [];
    for (const { time, length, counts } of this.#buckets) {
      const x = this.#x(time);
      const wide = Math.max(1.5, this.#x(time + length) - x - 1);
      let bottom = height;
      for (const level of levels) {
        if (!counts[level]) continue;
        // Makes few errors among many records visible.
        const part = Math.max(2, (counts[level] / most) * (height - 4));
        bottom -= part;
        made.push(shape("rect", { class: level, x, y: Math.max(0, bottom), width: wide, height: part }));
      }
    }
    this.bars.replaceChildren(...made);
    const steps = Math.max(2, Math.floor(width / 120));
    const length = this.#end - this.#start;
    this.axis.replaceChildren(...Array.from({ length: Number.isFinite(length) ? steps : 0 }, (_, step) =>
      element("span", {}, tick(this.#start + (length * step) / (steps - 1), length))));
    this.#drawCursor();
  }

  #drawBrush() {
    const { from = 0, to = 0 } = this.#drag ?? {};
    this.brush.setAttribute("x", Math.min(from, to));
    this.brush.setAttribute("width", Math.abs(to - from));
  }

  #drawCursor() {
    const { time } = cursor;
    const isSeen = time >= this.#start && time <= this.#end;
    this.mark.style.display = isSeen ? "" : "none";
    if (isSeen) {
      this.mark.setAttribute("x1", this.#x(time));
      this.mark.setAttribute("x2", this.#x(time));
      this.slider.value = ((time - this.#start) / (this.#end - this.#start)) * 1000;
    }
    const text = Number.isFinite(time) ? full(time) : "";
    setText(this.where, text);
    this.slider.setAttribute("aria-valuetext", text || "no time");
  }

  /** Moves the cursor by a fraction of the time range. */
  step(part) {
    if (!Number.isFinite(this.#start)) return;
    const from = Number.isFinite(cursor.time) ? cursor.time : part > 0 ? this.#start : this.#end;
    cursor.set(Math.min(Math.max(from + (this.#end - this.#start) * part, this.#start), this.#end), this);
  }

  /** Shows only a time range, in milliseconds. */
  zoom(start, end) {
    if (end - start < 1) return;
    view.set({ range: "", since: timestamp(start), until: timestamp(end) });
  }

  /** Shows a range four times as long, or everything. */
  zoomOut() {
    const length = this.#end - this.#start;
    const end = this.#end + length * 1.5;
    if (!view.since || !view.until || end > Date.now()) return view.set({ range: "", since: "", until: "" });
    view.set({ range: "", since: timestamp(this.#start - length * 1.5), until: timestamp(end) });
  }
}
