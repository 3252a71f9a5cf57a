// The one time that list, timeline and map point at.

import { milliseconds, timestamp } from "./format.js";
import { view } from "./view.js";

/** The cursor. It sends `change` with `source`, which need not follow its own change, once a frame at most. */
class Cursor extends EventTarget {
  #frame;
  #source;

  /** Milliseconds since 1970; NaN: it points nowhere. */
  time = view.at ? milliseconds(view.at) : NaN;

  /** Moves it. */
  set(time, source) {
    if (Object.is(time, this.time)) return;
    this.time = time;
    this.#source = source;
    view.set({ at: Number.isFinite(time) ? timestamp(time) : "" });
    // A pointer sends more moves than a screen shows.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.dispatchEvent(Object.assign(new Event("change"), { source: this.#source }));
    });
  }
}

export const cursor = new Cursor();
