// The list of records: loaded, selected and newly arrived ones.

import { get } from "./api.js";
import { announce, byID, element, setText } from "./dom.js";
import { count, counted, full, milliseconds } from "./format.js";
import { identified, storedID } from "./identity.js";
import { VirtualList } from "./list.js";
import { LiveFeed } from "./live.js";
import { Records } from "./records.js";
import { fillRow, makeRow } from "./row.js";
import { Selection } from "./selection.js";
import { copyRecords, exportRecords } from "./export.js";
import { view } from "./view.js";

/** The maximum number of records that are kept while only the newest are shown. */
const liveLimit = 5000;
/** The maximum number of pending records that are kept; further ones are only counted. */
const pendingLimit = 1000;

/** The panel with the list. Sends `arrived` with new records. */
export class Logs extends EventTarget {
  records = new Records();
  selection = new Selection(this.records);
  feed = new LiveFeed();
  isPaused = false;
  #pending = [];
  #pendingCount = 0;
  #cursor = "";

  constructor(cursor) {
    super();
    this.cursor = cursor;
    this.list = new VirtualList({
      source: this.records, row: makeRow, label: "Records, newest first",
      fill: (row, record) => fillRow(row, record, {
        selected: this.selection.selected, current: this.selection.current, cursor: this.#cursor,
      }),
      onend: () => this.records.older(),
      onstart: () => this.records.newer(),
    });
    this.total = element("span", { class: "total" });
    this.fresh = element("button", { type: "button", id: "pending", class: "selected", hidden: true, onclick: () => this.showPending() });
    this.copy = element("button", { type: "button", class: "plain", onclick: () => this.copySelected() }, "Copy");
    this.save = element("button", { type: "button", class: "plain", onclick: () => this.exportSelected() }, "Export");
    this.values = element("button", {
      type: "button", class: "plain only-narrow", onclick: () => document.body.classList.toggle("with-facets"),
    }, "Values");
    this.status = element("p", { class: "list-status", hidden: true });
    byID("logs").append(
      element("div", { class: "list-bar" }, this.total, this.fresh, element("span", { class: "spacer" }), this.values, this.copy, this.save),
      this.list.node, this.status);
    this.#listen();
  }

  #listen() {
    this.records.addEventListener("change", ({ prepended }) => {
      this.list.resize(prepended, this.list.node.scrollTop > 0 || this.selection.current !== "");
      this.#report();
    });
    this.selection.addEventListener("change", () => {
      this.#share();
      this.list.node.setAttribute("aria-activedescendant", this.selection.index < 0 ? "" : `row-${this.selection.index}`);
      this.list.redraw();
    });
    // Shift selects rows instead of text.
    this.list.node.addEventListener("mousedown", (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      this.list.node.focus();
    });
    this.list.node.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (!row || String(getSelection()) !== "") return;
      this.select(Number(row.dataset.index), event.shiftKey);
    });
    this.list.node.addEventListener("keydown", (event) => this.#key(event));
    this.list.node.addEventListener("scroll", () => {
      if (!this.isHeld && this.#pendingCount > 0) this.showPending();
    });
    this.feed.addEventListener("records", ({ records }) => this.#arrived(records));
    this.feed.addEventListener("state", () => this.#report());
    // The pending records are then incomplete, and the visible ones are requested again.
    this.feed.addEventListener("dropped", () => {
      this.#pendingCount = Math.max(this.#pendingCount, this.#pending.length) + 1;
      if (!this.isHeld) this.showPending();
      else this.#report();
    });
  }

  /** Adds the current record to the address of the page, once the store contains it. */
  async #share() {
    const { current } = this.selection;
    const record = this.records.at(this.selection.index);
    if (!record) return view.set({ id: "" });
    const id = await storedID(record).catch(() => "");
    if (this.selection.current === current) view.set({ id });
  }

  /** Whether new records are pending, because the visible ones must not move. */
  get isHeld() {
    return this.isPaused || this.list.node.scrollTop > 0 || this.selection.current !== "" || !this.records.isCurrent;
  }

  /** Whether the time range has an end, after which no records arrive. */
  get isPast() {
    return view.selection.until !== "";
  }

  /** Requests the records of the view. */
  async open() {
    this.#pending = [];
    this.#pendingCount = 0;
    const { id } = view;
    this.selection.begin("");
    this.list.node.scrollTop = 0;
    if (this.isPast) this.feed.stop();
    else this.feed.follow(view.q);
    let wanted;
    if (id) {
      try {
        [wanted] = identified([(await get("/api/around", { id, before: 0, after: 0 })).record]);
      } catch {
        announce("The record of this address does not exist.");
      }
    }
    await this.records.open(view.selection, wanted?.time);
    if (wanted) {
      const index = this.records.index(wanted.key);
      if (index >= 0) {
        this.select(index);
        this.list.show(index, true);
      }
      this.records.newer();
    }
  }

  /** Shows the record logged at a time, or the last one before it, among the other records of the query. */
  async showTime(time) {
    let { index, isKnown } = this.records.indexAt(time);
    if (!isKnown) {
      await this.records.open(view.selection, new Date(time).toISOString());
      await this.records.newer();
      ({ index } = this.records.indexAt(time));
    }
    this.mark(time);
    if (index >= 0) this.list.show(index, true);
  }

  /** Marks the row of a time, if it is loaded. */
  mark(time) {
    const { index } = Number.isFinite(time) ? this.records.indexAt(time) : { index: -1 };
    const key = index < 0 ? "" : this.records.at(index)?.key ?? "";
    if (key === this.#cursor) return index;
    this.#cursor = key;
    this.list.draw();
    return index;
  }

  /** Makes the record at an index the current one. */
  select(index, extend = false) {
    this.selection.select(index, extend);
    this.list.show(index);
    const record = this.records.at(index);
    if (!record) return;
    this.cursor.set(milliseconds(record.time), this);
    this.dispatchEvent(Object.assign(new Event("selected"), { record }));
  }

  #key(event) {
    const current = this.selection.index;
    const page = Math.max(1, this.list.seen.number - 1);
    const last = this.records.count - 1;
    const steps = {
      ArrowDown: current + 1, j: current + 1, ArrowUp: current - 1, k: current - 1, PageDown: current + page,
      PageUp: current - page, Home: 0, End: last,
    };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || last < 0) return;
    event.preventDefault();
    const start = current < 0 ? this.list.seen.first : Math.min(last, Math.max(0, steps[event.key]));
    this.select(start, event.shiftKey);
  }

  // Arrivals

  #arrived(records) {
    const known = new Set(this.#pending.map((record) => record.key));
    // A new stream also sends records that the list contains, which must not be counted and drawn again.
    const arrived = records.filter((record) => !known.has(record.key) && !this.records.has(record));
    if (arrived.length === 0) return;
    this.dispatchEvent(Object.assign(new Event("arrived"), { records: arrived }));
    if (!this.isHeld) {
      this.records.add(arrived);
      this.records.trim(liveLimit);
      return;
    }
    const fresh = arrived.filter((record) => !this.records.knows(record));
    this.#pendingCount += fresh.length;
    this.#pending.push(...fresh);
    if (this.#pending.length > pendingLimit) this.#pending.splice(0, this.#pending.length - pendingLimit);
    this.#report();
  }

  /** Shows the pending records. */
  async showPending() {
    this.isPaused = false;
    this.selection.clear();
    const isWhole = this.#pendingCount <= this.#pending.length && this.records.isCurrent;
    const records = this.#pending;
    this.#pending = [];
    this.#pendingCount = 0;
    this.list.node.scrollTop = 0;
    if (isWhole) {
      this.records.add(records);
      this.list.node.scrollTop = 0;
    } else {
      await this.records.open(view.selection);
    }
    this.#report();
    this.dispatchEvent(new Event("pause"));
  }

  /** Stops or continues showing new records. */
  pause(isPaused) {
    this.isPaused = isPaused;
    if (isPaused) {
      this.#report();
      announce("Paused. New records are held back.");
    } else {
      this.showPending();
      announce("Live.");
    }
    this.dispatchEvent(new Event("pause"));
  }

  // The state of the list

  #report() {
    this.fresh.hidden = this.#pendingCount === 0;
    setText(this.fresh, `${counted(this.#pendingCount, "new record")}`);
    const { records } = this;
    let text = "";
    if (records.problem) text = records.problem.status === 400 ? "" : records.problem.message;
    else if (this.feed.state === "lost") text = "The connection is lost; reconnecting.";
    else if (records.reached) text = `Searching older records; reached ${full(milliseconds(records.reached))}.`;
    else if (records.count === 0 && records.isComplete) text = "No matching records.";
    else if (records.count === 0) text = "Loading…";
    this.status.hidden = text === "";
    setText(this.status, text);
    this.dispatchEvent(new Event("report"));
  }

  /** Shows how many records there are. */
  setTotal(total) {
    setText(this.total, total === undefined ? "" : counted(total, "record"));
    this.total.title = total === undefined ? "" : `${count(total)} in the time range`;
  }

  // Copying and exporting

  async copySelected() {
    const records = this.selection.all;
    if (records.length === 0) return announce("Select records first.");
    await copyRecords(records);
    announce(`${counted(records.length, "record")} copied.`);
  }

  exportSelected() {
    exportRecords(this.selection.selected.size > 1 ? this.selection.all : null);
  }
}
