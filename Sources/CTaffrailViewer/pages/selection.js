// The selected records of the list: one is current, and several can be copied or exported.

/** The selection. Sends `change`. */
export class Selection extends EventTarget {
  /** The keys of the selected records. */
  selected = new Set();
  /** The key of the current record. */
  current = "";
  #anchor = "";

  constructor(records) {
    super();
    this.records = records;
  }

  /** Selects the record at an index; with `extend`, all records from the one selected last. */
  select(index, extend = false) {
    const record = this.records.at(index);
    if (!record) return;
    const anchor = extend ? this.records.index(this.#anchor) : -1;
    if (anchor < 0) {
      this.#anchor = record.key;
      this.selected = new Set([record.key]);
    } else {
      const range = this.records.slice(Math.min(anchor, index), Math.max(anchor, index) + 1);
      this.selected = new Set(range.map((record) => record.key));
    }
    this.current = record.key;
    this.dispatchEvent(new Event("change"));
  }

  /** Makes a record the current one, even if it is not loaded yet. */
  begin(key) {
    this.current = key;
    this.#anchor = key;
    this.selected = new Set(key ? [key] : []);
    this.dispatchEvent(new Event("change"));
  }

  /** Clears the selection. */
  clear() {
    if (this.current || this.selected.size > 0) this.begin("");
  }

  /** The index of the current record; -1 if it is not loaded. */
  get index() {
    return this.current ? this.records.index(this.current) : -1;
  }

  /** The selected records, oldest first. */
  get all() {
    const found = [];
    for (const key of this.selected) {
      const record = this.records.at(this.records.index(key));
      if (record) found.push(record);
    }
    return found.sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0));
  }
}
