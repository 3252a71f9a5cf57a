// The state of the view, which the address of the page contains: opening the address shows the same view.

const names = ["q", "range", "since", "until", "at", "id", "tab", "map", "device", "follow", "charts", "colour", "zone", "units"];
// Two panels do not fit on a phone.
const defaults = { tab: innerWidth <= 700 ? "logs" : "both", range: "", colour: "device", zone: "local", units: "metric" };

/** The state of the page. Sends `change` with the names of the changed values. */
class View extends EventTarget {
  constructor() {
    super();
    this.#read();
    addEventListener("popstate", () => {
      const before = { ...this };
      this.#read();
      this.#send(names.filter((name) => before[name] !== this[name]));
    });
  }

  #read() {
    const query = new URLSearchParams(location.search);
    for (const name of names) this[name] = query.get(name) ?? defaults[name] ?? "";
  }

  #send(changed) {
    if (changed.length === 0) return;
    this.dispatchEvent(Object.assign(new Event("change"), { changed: new Set(changed) }));
  }

  /** The address of the view. */
  get address() {
    return this.addressWith({});
  }

  /** The address of the view with some values changed. */
  addressWith(values) {
    const query = new URLSearchParams();
    for (const name of names) {
      const value = values[name] ?? this[name];
      if (value !== (defaults[name] ?? "")) query.set(name, value);
    }
    const text = query.toString();
    return text ? `/?${text}` : "/";
  }

  /** Changes values. Another query, time range or tab adds an entry to the browser's history. */
  set(values) {
    const changed = names.filter((name) => name in values && String(values[name] ?? "") !== this[name]);
    for (const name of changed) this[name] = String(values[name] ?? "");
    if (changed.length === 0) return;
    const isNew = changed.some((name) => ["q", "range", "since", "until", "tab"].includes(name));
    if (isNew) {
      clearTimeout(this.pending);
      this.pending = undefined;
      history.pushState(null, "", this.address);
    } else {
      // Browsers limit the rate of changes to the address.
      this.pending ??= setTimeout(() => {
        this.pending = undefined;
        history.replaceState(null, "", this.address);
      }, 250);
    }
    this.#send(changed);
  }

  /** Calls a function when one of some values changes. */
  on(wanted, body) {
    this.addEventListener("change", (event) => {
      if (wanted.some((name) => event.changed.has(name))) body(event.changed);
    });
  }

  /** The request to the server: the query and the range of time. */
  get selection() {
    const since = this.range ? `-${this.range}` : this.since;
    return { q: this.q, since, until: this.range ? "" : this.until };
  }
}

export const view = new View();
