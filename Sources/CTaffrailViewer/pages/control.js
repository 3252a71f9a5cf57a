// The plugins of the server that accept commands, for users whose token may send them.

import { get, isAbort, post, session } from "./api.js";

/** The interval of requests for a status, in milliseconds. */
const interval = 1000;

/** The kind of plugin that a status describes, by its fields. */
function kind(name, status) {
  if (status.rate !== undefined && status.state) return "replay";
  if (status.decisions !== undefined) return "pinger";
  if (status.rows !== undefined) return "store";
  return undefined;
}

/** The commands. Sends `change` when a status has changed, and `home` when the home has changed. */
export class Control extends EventTarget {
  /** The kind and status of each instance, by name. */
  instances = new Map();
  /** The position of the home; undefined if it is unknown. */
  home;
  isAllowed = false;
  hasHome = false;
  /** The reason why no commands are available, for users. */
  problem = "Looking for plugins that accept commands…";
  #timer;
  #isWatched = false;
  #isPolling = false;

  /** Finds the plugins that accept commands. */
  async begin() {
    try {
      const { roles } = await session();
      this.isAllowed = roles.includes("control");
      this.problem = "";
      if (!this.isAllowed) {
        this.problem = "Commands require a token with the role control. Set token_file of the receiver to a file with a line "
          + "such as “TOKEN read control”, and log in with this token.";
      } else {
        await this.#find();
      }
    } catch (error) {
      if (isAbort(error)) return;
      this.problem = error.message;
    }
    this.#changed();
  }

  async #find() {
    const { instances } = await get("/control");
    this.hasHome = instances.includes("home");
    if (this.hasHome) await this.#takeHome({ command: "show" });
    for (const name of instances) {
      if (name === "home") continue;
      try {
        const status = await this.#ask(name, { command: "status" });
        const found = kind(name, status);
        if (found) this.instances.set(name, { name, kind: found, status });
      } catch {
        // The instance has other commands.
      }
    }
    this.#timer ??= setInterval(() => this.#poll(), interval);
  }

  #ask(name, body) {
    return post(`/control/${encodeURIComponent(name)}`, body);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** The instances of a kind. */
  of(kind) {
    return [...this.instances.values()].filter((one) => one.kind === kind);
  }

  /** Requests all statuses periodically while the pane is visible. */
  watch(isWatched) {
    this.#isWatched = isWatched;
    if (isWatched) this.#poll();
  }

  async #poll() {
    // A command may take seconds, such as the one for the current location.
    if (document.hidden || this.#isPolling) return;
    this.#isPolling = true;
    for (const { name, kind, status } of this.instances.values()) {
      const runs = kind === "replay" && status.state !== "ended";
      if (runs || this.#isWatched) await this.send(name, { command: "status" }).catch(() => {});
    }
    this.#isPolling = false;
  }

  /** Sends a command that returns a status. */
  async send(name, body) {
    const status = await this.#ask(name, body);
    const known = this.instances.get(name);
    if (!known || JSON.stringify(known.status) === JSON.stringify(status)) return status;
    known.status = status;
    this.#changed();
    return status;
  }

  /** Deletes from a store, and returns the number of deleted rows. */
  async remove(name, body) {
    const { purged } = await this.#ask(name, body);
    await this.send(name, { command: "status" });
    return purged;
  }

  /** Makes the current location the home. */
  setHome() {
    return this.#takeHome({ command: "set" });
  }

  /** Clears the home. */
  clearHome() {
    return this.#takeHome({ command: "clear" });
  }

  async #takeHome(body) {
    const { latitude, longitude } = await this.#ask("home", body);
    this.home = latitude === undefined ? undefined : { lat: latitude, lon: longitude };
    this.dispatchEvent(new Event("home"));
    this.#changed();
    return this.home;
  }
}
