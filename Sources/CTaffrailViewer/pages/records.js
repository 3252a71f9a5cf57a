// The records of a query, newest first, in pages. Pages far from the visible ones are dropped, and requested again when
// needed, so that a million records can be scrolled.

import { get, isAbort } from "./api.js";
import { after, milliseconds } from "./format.js";
import { identified } from "./identity.js";

const pageSize = 200;
/** The maximum number of message characters that are kept. */
const memory = 64 << 20;
/** How many times a search without results continues by itself. */
const patience = 20;
/** The delay after which a failed request is repeated, in milliseconds. */
const retryDelay = 3000;

const weight = (records) => records.reduce((sum, record) => sum + record.message.length + 600, 0);

/** The records. Sends `change` when they have changed, with `prepended`, the number of records added at the start. */
export class Records extends EventTarget {
  #pages = [];
  #starts = [0];
  #selection = {};
  #controller = new AbortController();
  #next = null;
  #isOlderLoading = false;
  #isNewerLoading = false;
  #known = new Set();

  /** Whether the oldest record is loaded. */
  isComplete = false;
  /** Whether the newest record is loaded. */
  isCurrent = true;
  /** The time that an unfinished search has reached. */
  reached;
  problem;

  get count() {
    return this.#starts[this.#pages.length];
  }

  get isLoading() {
    return this.#isOlderLoading;
  }

  /** Begins another query, at the newest record or at a time. */
  async open(selection, at) {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#selection = selection;
    this.#pages = [];
    this.#known = new Set();
    this.#next = { ...selection, until: at ? after(at) : selection.until };
    this.isCurrent = !at;
    this.isComplete = false;
    this.reached = undefined;
    this.problem = undefined;
    this.#isOlderLoading = false;
    this.#isNewerLoading = false;
    this.#count();
    this.#changed(0);
    await this.older();
  }

  #count() {
    this.#starts = [0];
    for (const page of this.#pages) this.#starts.push(this.#starts.at(-1) + page.count);
  }

  #changed(prepended) {
    this.dispatchEvent(Object.assign(new Event("change"), { prepended }));
  }

  #page(index) {
    let low = 0;
    let high = this.#pages.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= index) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The record at an index; undefined while it is requested again. */
  at(index) {
    if (index < 0 || index >= this.count) return undefined;
    const number = this.#page(index);
    const page = this.#pages[number];
    page.used = performance.now();
    if (!page.records) this.#reload(page);
    return page.records?.[index - this.#starts[number]];
  }

  /** The index of the loaded record with a key; -1 if it is not loaded. */
  index(key) {
    for (const [number, page] of this.#pages.entries()) {
      const index = page.records?.findIndex((record) => record.key === key) ?? -1;
      if (index >= 0) return this.#starts[number] + index;
    }
    return -1;
  }

  /** The index of the newest record that is not after a time, and whether that is known. */
  indexAt(time) {
    if (this.count === 0) return { index: -1, isKnown: false };
    let low = 0;
    let high = this.count;
    // Only loaded records are compared; of other pages, the first and last times are known.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#time(middle) <= time) high = middle;
      else low = middle + 1;
    }
    const isKnown = (low > 0 || this.isCurrent || this.#time(0) === time) && (low < this.count || this.isComplete);
    return { index: Math.min(low, this.count - 1), isKnown };
  }

  #time(index) {
    const number = this.#page(index);
    const page = this.#pages[number];
    return page.records ? milliseconds(page.records[index - this.#starts[number]].time) : page.last;
  }

  /** Requests the next older page. */
  async older() {
    if (this.#isOlderLoading || this.isComplete || !this.#next || this.problem) return;
    this.#isOlderLoading = true;
    const { signal } = this.#controller;
    try {
      for (let turn = 0; turn < patience; turn++) {
        const request = { ...this.#next, limit: pageSize };
        const page = await get("/api/records", request, signal);
        identified(page.records);
        this.#next = page.next ? { ...this.#selection, cursor: page.next } : null;
        this.isComplete = !page.next;
        this.reached = page.next && page.records.length < pageSize ? page.reached : undefined;
        const records = page.records.filter((record) => !this.#known.has(record.key));
        if (records.length > 0) this.#append({ records, request });
        if (records.length > 0 || this.isComplete) break;
        this.#changed(0);
      }
    } catch (error) {
      if (isAbort(error)) return;
      this.problem = error;
      if (error.status !== 400) setTimeout(() => this.#retry(signal), retryDelay);
    }
    this.#isOlderLoading = false;
    this.#changed(0);
  }

  #retry(signal) {
    if (signal.aborted) return;
    this.problem = undefined;
    this.older();
  }

  #append({ records, request }) {
    for (const record of records) this.#known.add(record.key);
    this.#pages.push({
      records, request, count: records.length, weight: weight(records), used: performance.now(),
      keys: records.map((record) => record.key), last: milliseconds(records.at(-1).time),
    });
    this.#forget();
    this.#count();
  }

  /** Requests records newer than the first one, if the query began at a time. */
  async newer() {
    const first = this.#pages[0]?.records?.[0];
    if (this.isCurrent || this.#isNewerLoading || !first || this.problem) return;
    this.#isNewerLoading = true;
    const { signal } = this.#controller;
    try {
      const page = await get("/api/records", {
        ...this.#selection, since: first.time, order: "oldest", limit: pageSize,
      }, signal);
      this.isCurrent = !page.next;
      this.#prepend(identified(page.records).reverse());
    } catch (error) {
      if (isAbort(error)) return;
      this.problem = error;
      if (error.status !== 400) setTimeout(() => this.#retry(signal), retryDelay);
    }
    this.#isNewerLoading = false;
    this.#changed(0);
  }

  /** Whether a record is loaded. */
  has(record) {
    return this.#known.has(record.key);
  }

  /** Whether a record is loaded, or is older than the oldest loaded one. */
  knows(record) {
    if (this.#known.has(record.key)) return true;
    const last = this.#pages.at(-1);
    return !this.isComplete && last !== undefined && milliseconds(record.time) < last.last;
  }

  /** Adds records that have just been logged; known ones are ignored. */
  add(records) {
    return this.#prepend(records);
  }

  #prepend(records) {
    const fresh = records.filter((record) => !this.knows(record));
    if (fresh.length === 0) return 0;
    for (const record of fresh) this.#known.add(record.key);
    const first = this.#pages[0];
    // A late record belongs further down, and appears there when its time range is requested again.
    fresh.sort((left, right) => (left.time < right.time ? 1 : left.time > right.time ? -1 : 0));
    if (first?.isLive && first.records.length < pageSize) {
      const oldest = fresh.at(-1).time;
      if (first.records.length > 0 && first.records[0].time > oldest) {
        first.records = [...fresh, ...first.records].sort((left, right) => (left.time < right.time ? 1 : left.time > right.time ? -1 : 0));
      } else {
        first.records.unshift(...fresh);
      }
      first.count = first.records.length;
      first.weight = weight(first.records);
    } else {
      this.#pages.unshift({
        records: fresh, count: fresh.length, isLive: true, weight: weight(fresh), used: performance.now(),
        last: milliseconds(fresh.at(-1).time),
      });
    }
    this.#count();
    this.#changed(fresh.length);
    return fresh.length;
  }

  /** Drops the oldest records beyond a limit, while only the newest are shown. */
  trim(limit) {
    if (this.count <= limit || this.#pages.length < 2) return;
    while (this.#pages.length > 1 && this.#starts[this.#pages.length - 1] >= limit) {
      const page = this.#pages.pop();
      for (const key of page.keys ?? page.records.map((record) => record.key)) this.#known.delete(key);
      this.#count();
    }
    const last = this.#pages.at(-1);
    const oldest = last.records?.at(-1);
    if (!oldest) return;
    this.isComplete = false;
    // The records of the same nanosecond are requested again, and recognized.
    this.#next = { ...this.#selection, until: after(oldest.time) };
    this.#changed(0);
  }

  /** Drops the records of pages that have not been shown for a long time. */
  #forget() {
    let sum = this.#pages.reduce((sum, page) => sum + (page.records ? page.weight : 0), 0);
    if (sum < memory) return;
    const oldest = this.#pages.filter((page) => page.records && page.request).sort((left, right) => left.used - right.used);
    for (const page of oldest.slice(0, -3)) {
      if (sum < memory) break;
      page.records = null;
      sum -= page.weight;
    }
  }

  async #reload(page) {
    if (page.isLoading) return;
    page.isLoading = true;
    try {
      const found = await get("/api/records", page.request, this.#controller.signal);
      identified(found.records);
      const byKey = new Map(found.records.map((record) => [record.key, record]));
      const kept = found.records[0];
      // Records deleted in the meantime are shown as deleted.
      page.records = page.keys.map((key) => byKey.get(key) ?? {
        id: "", key, time: kept?.time ?? new Date(page.last).toISOString(), level: "info", message: "(deleted)",
      });
      page.used = performance.now();
      this.#forget();
      this.#changed(0);
    } catch (error) {
      if (!isAbort(error)) this.problem = error;
    }
    page.isLoading = false;
  }

  /** The loaded records of a range of indices. */
  slice(start, end) {
    const found = [];
    for (let index = start; index < end; index++) {
      const record = this.at(index);
      if (record) found.push(record);
    }
    return found;
  }
}
