// The controls of a running replay: play, pause, rate, and a slider to seek.

import { byID, element, setText } from "./dom.js";
import { span } from "./format.js";

const rates = [0.25, 0.5, 1, 2, 5, 10, 60, 300];

/** The minimum time between two seeks, in milliseconds. */
const pause = 250;

/** The controls of one replay. */
class Remote {
  #wanted;
  #isSending = false;
  #isDragged = false;

  constructor(control, name) {
    Object.assign(this, { control, name });
    this.button = element("button", { type: "button", class: "plain", onclick: () => this.#toggle() });
    this.rate = element("select", {
      "aria-label": `Rate of the replay ${name}`, onchange: () => this.#send({ command: "rate", rate: Number(this.rate.value) }),
    }, ...rates.map((rate) => element("option", { value: String(rate) }, `${rate} ×`)));
    this.slider = element("input", {
      type: "range", class: "slider", min: 0, step: "any", "aria-label": `Time of the replay ${name}`,
      oninput: () => this.#seek(Number(this.slider.value)),
      onpointerdown: () => {
        this.#isDragged = true;
      },
      onpointerup: () => {
        this.#isDragged = false;
      },
      onpointercancel: () => {
        this.#isDragged = false;
      },
    });
    // For replays of unknown length, whose slider cannot be dragged.
    this.steps = [["−30 s", -30], ["+30 s", 30]].map(([label, by]) => element("button", {
      type: "button", class: "plain", "aria-label": `Move the replay ${name} by ${by} s`, onclick: () => this.#send({ command: "seek", by }),
    }, label));
    this.text = element("output", { class: "where" });
    this.note = element("span", { class: "note", role: "status" });
    this.node = element("div", { class: "timeline-bar remote" }, element("span", { class: "note", dir: "auto" }, name),
      this.button, this.rate, ...this.steps, this.slider, this.text, this.note);
  }

  #toggle() {
    this.#send({ command: this.state === "playing" ? "pause" : "play" });
  }

  async #send(body) {
    try {
      await this.control.send(this.name, body);
      setText(this.note, "");
    } catch (error) {
      setText(this.note, error.message);
    }
  }

  /** Seeks; of several calls while a request is in progress, only the last is sent. */
  async #seek(time) {
    this.#wanted = time;
    setText(this.text, this.#times(time));
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#wanted !== undefined) {
      const to = this.#wanted;
      this.#wanted = undefined;
      await this.#send({ command: "seek", to });
      // Limits the rate, because each seek is logged.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#isSending = false;
    this.draw();
  }

  #times(time) {
    return this.duration === undefined ? span(time) : `${span(time)} of ${span(this.duration)}`;
  }

  draw() {
    const { status } = this.control.instances.get(this.name);
    this.state = status.state;
    this.duration = status.duration;
    const isOver = status.state === "ended";
    setText(this.button, status.state === "playing" ? "❚❚" : "▶");
    this.button.setAttribute("aria-label", `${status.state === "playing" ? "Pause" : "Play"} the replay ${this.name}`);
    for (const one of [this.button, this.rate, ...this.steps]) one.disabled = isOver;
    this.slider.disabled = isOver;
    this.slider.hidden = !(status.duration > 0);
    for (const one of this.steps) one.hidden = !this.slider.hidden;
    if (![...this.rate.options].some(({ value }) => Number(value) === status.rate)) {
      this.rate.append(element("option", { value: String(status.rate) }, `${status.rate} ×`));
    }
    if (document.activeElement !== this.rate) this.rate.value = String(status.rate);
    if (this.#isDragged || this.#isSending) return;
    if (status.duration > 0) this.slider.max = status.duration;
    this.slider.value = status.time;
    setText(this.text, this.#times(status.time));
    this.slider.setAttribute("aria-valuetext", this.#times(status.time));
  }
}

/** Shows the controls of all replays below the timeline. */
export function showRemotes(control) {
  const remotes = new Map();
  control.addEventListener("change", () => {
    for (const { name } of control.of("replay")) {
      if (!remotes.has(name)) {
        remotes.set(name, new Remote(control, name));
        byID("timeline").append(remotes.get(name).node);
      }
      remotes.get(name).draw();
    }
  });
}
