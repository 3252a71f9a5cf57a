// The time that is marked in list, timeline and map.

import { milliseconds, timestamp } from "./format.js";
import { view } from "./view.js";

/** The cursor. Sends `change`, at most once per frame, with the `source` of the change, which can ignore it. */
class Cursor extends EventTarget {
  #frame;
  #source;

  /** Milliseconds since 1970; NaN: no time. */
  time = view.at ? milliseconds(view.at) : NaN;

  /** Moves it. */
  set(time, source) {
    if (Object.is(time, this.time)) return;
    this.time = time;
    this.#source = source;
    view.set({ at: Number.isFinite(time) ? timestamp(time) : "" });
    // Pointers send more events than the screen has frames.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.dispatchEvent(Object.assign(new Event("change"), { source: this.#source }));
    });
  }
}

export const cursor = new Cursor();
