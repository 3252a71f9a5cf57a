// Records as they arrive. All tabs of a browser share one event stream for a query: browsers open at most six
// connections to a server, and a stream occupies one.

import { address, get, isAbort } from "./api.js";
import { identified } from "./identity.js";

/** The maximum number of streams of a browser; further queries poll. */
const slots = 2;
const interval = 2000;
/** The number of records that are searched for those that a stream has missed. */
const catchUp = 200;

/** The new records of a query. Sends `records`, `state`, and `dropped` if some are missing. */
export class LiveFeed extends EventTarget {
  #controller;
  #channel;

  /** `open`, `polling`, `lost` or `closed`. */
  state = "closed";

  /** Follows a query instead of the previous one. */
  follow(q) {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    const name = `taffrail stream ${q}`;
    if (!navigator.locks || !window.BroadcastChannel) {
      this.#stream(q, controller.signal, () => {});
      return;
    }
    const channel = new BroadcastChannel(name);
    this.#channel = channel;
    channel.onmessage = ({ data }) => {
      if (data.records) this.#dispatchRecords(data.records);
      if (data.state) this.#become(data.state);
      if (data.isDropped) this.dispatchEvent(new Event("dropped"));
    };
    const send = (message) => {
      if (!controller.signal.aborted) channel.postMessage(message);
    };
    navigator.locks.request(name, { signal: controller.signal }, async () => {
      for (let slot = 0; slot < slots && !controller.signal.aborted; slot++) {
        const ran = await navigator.locks.request(`taffrail slot ${slot}`, { ifAvailable: true }, async (lock) => {
          if (!lock) return false;
          await this.#stream(q, controller.signal, send);
          return true;
        });
        if (ran) return;
      }
      await this.#poll(q, controller.signal, send);
    }).catch((error) => {
      if (!isAbort(error)) throw error;
    });
  }

  /** Stops following. */
  stop() {
    this.#controller?.abort();
    this.#channel?.close();
    this.#channel = undefined;
    this.#become("closed");
  }

  #dispatchRecords(records) {
    if (records.length > 0) this.dispatchEvent(Object.assign(new Event("records"), { records }));
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  /** Reads the event stream until the signal; polls if the server has none. */
  async #stream(q, signal, send) {
    // The lock may be granted after the signal.
    if (signal.aborted) return;
    const isSupported = await new Promise((resolve) => {
      const source = new EventSource(address("/stream", { q }));
      let batch = [];
      let isDue = false;
      const flush = () => {
        isDue = false;
        if (signal.aborted) return;
        const records = identified(batch);
        batch = [];
        this.#dispatchRecords(records);
        send({ records });
      };
      const receive = ({ data }) => {
        try {
          batch.push(JSON.parse(data));
        } catch {
          return;
        }
        if (isDue) return;
        isDue = true;
        // One change of the list for all records that arrive together.
        setTimeout(flush, 100);
      };
      const become = (state) => {
        this.#become(state);
        send({ state });
      };
      source.onmessage = receive;
      // The browser was too slow or disconnected: the missed records are in the store.
      source.addEventListener("dropped", () => {
        this.dispatchEvent(new Event("dropped"));
        send({ isDropped: true });
      });
      source.onopen = () => {
        become("open");
        this.#catchUp(q, signal, send);
      };
      source.onerror = () => {
        if (source.readyState !== EventSource.CLOSED) return become("lost");
        source.close();
        resolve(false);
      };
      signal.addEventListener("abort", () => {
        source.close();
        resolve(true);
      });
    });
    if (!isSupported) await this.#poll(q, signal, send);
  }

  /** Requests the records that arrived before the stream was open, or while it was interrupted. */
  async #catchUp(q, signal, send) {
    try {
      const records = identified((await get("/api/records", { q, limit: catchUp }, signal)).records);
      this.#dispatchRecords(records);
      send({ records });
    } catch {
      // The list requests the same records, and reports problems.
    }
  }

  async #poll(q, signal, send) {
    while (!signal.aborted) {
      let state = "polling";
      try {
        const records = identified((await get("/api/records", { q, limit: catchUp }, signal)).records);
        this.#dispatchRecords(records);
        send({ records });
      } catch (error) {
        if (isAbort(error)) return;
        // An invalid query is reported next to its field.
        state = error.status === 400 ? "closed" : "lost";
      }
      this.#become(state);
      send({ state });
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, interval);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }
}
