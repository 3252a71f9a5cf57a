// A list of rows of equal height, of which only the visible ones exist.

import { element } from "./dom.js";

/** A virtual list box. */
export class VirtualList {
  #rows = new Map();
  #free = [];
  #frame;
  #timer;

  /**
   * Creates a list.
   *
   * `source` has `count` and `at(index)`, `row` creates a row, and `fill(row, item, index)` shows an item in it.
   */
  constructor({ source, row, fill, label, onend, onstart }) {
    Object.assign(this, { source, row, fill, onend, onstart });
    this.space = element("div", { class: "space", role: "presentation" });
    this.node = element("div", {
      id: "records", class: "list", tabIndex: 0, role: "listbox", "aria-label": label, "aria-multiselectable": "true",
      onscroll: () => this.draw(),
    }, this.space);
    new ResizeObserver(() => {
      this.#measure();
      this.draw();
    }).observe(this.node);
    this.#measure();
  }

  #measure() {
    const height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 24;
    if (height === this.height) return;
    const first = this.height ? Math.round(this.node.scrollTop / this.height) : 0;
    this.height = height;
    this.resize();
    this.node.scrollTop = first * height;
  }

  /** The first and the last visible index, and the number of rows that fit. */
  get seen() {
    const first = Math.floor(this.node.scrollTop / this.height);
    const number = Math.ceil(this.node.clientHeight / this.height);
    return { first, last: Math.min(this.source.count - 1, first + number), number };
  }

  /** Updates the number of items. Items added at the start move the visible rows only if these are the first ones. */
  resize(prepended = 0, isHeld = true) {
    const top = this.node.scrollTop;
    this.space.style.height = `${this.source.count * this.height}px`;
    if (prepended > 0 && isHeld) this.node.scrollTop = top + prepended * this.height;
    this.draw();
  }

  /** Draws in the next frame, or after a second, because a browser that does not show the page draws no frames. */
  draw() {
    if (this.#frame) return;
    const draw = () => {
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#timer);
      this.#frame = undefined;
      this.#draw();
    };
    this.#frame = requestAnimationFrame(draw);
    this.#timer = setTimeout(draw, 1000);
  }

  #draw() {
    const { first, number } = this.seen;
    const margin = 8;
    const start = Math.max(0, first - margin);
    const end = Math.min(this.source.count, first + number + margin);
    for (const [index, row] of this.#rows) {
      if (index >= start && index < end) continue;
      this.#rows.delete(index);
      row.remove();
      if (this.#free.length < 100) this.#free.push(row);
    }
    const made = [];
    for (let index = start; index < end; index++) {
      let row = this.#rows.get(index);
      if (!row) {
        row = this.#free.pop() ?? this.row();
        row.id = `row-${index}`;
        row.style.transform = `translateY(${index * this.height}px)`;
        row.setAttribute("aria-posinset", index + 1);
        this.#rows.set(index, row);
        made.push(row);
      }
      row.dataset.index = index;
      row.setAttribute("aria-setsize", this.source.isComplete ? this.source.count : -1);
      this.fill(row, this.source.at(index), index);
    }
    this.space.append(...made);
    if (end >= this.source.count - 2 * number) this.onend?.();
    if (start === 0) this.onstart?.();
  }

  /** Redraws every row at its position. */
  redraw() {
    for (const [index, row] of this.#rows) row.style.transform = `translateY(${index * this.height}px)`;
    this.draw();
  }

  /** Scrolls to an index: as little as necessary, or so that it is in the middle. */
  show(index, isCentred = false) {
    const top = index * this.height;
    const { clientHeight, scrollTop } = this.node;
    if (isCentred) {
      if (top < scrollTop || top + this.height > scrollTop + clientHeight) {
        this.node.scrollTop = Math.max(0, top - (clientHeight - this.height) / 2);
      }
    } else if (top < scrollTop) {
      this.node.scrollTop = top;
    } else if (top + this.height > scrollTop + clientHeight) {
      this.node.scrollTop = top + this.height - clientHeight;
    }
    this.draw();
  }
}
