// The control pane: positions, and remedies if none arrive; alerts, the home, pingers and replays.

import { byID, element, setText } from "./dom.js";
import { confirmed } from "./dialog.js";
import { count, duration, milliseconds, span } from "./format.js";
import { guidance } from "./guidance.js";

/** The interval at which the guidance about positions is updated, in milliseconds. */
const interval = 10_000;

const modes = { moving: "moving", stationaryDay: "standing still by day", homeOrNight: "at home, or night" };

/** The state of a pinger, as names and values. */
function facts({ state, mode, until, last_ping, earliest_ping, last_decision, device, decisions = {} }) {
  const ago = (time) => `${duration(Date.now() - milliseconds(time))} ago`;
  return [
    ["State", `${state}${until ? ` until ${until}` : ""}`], ["Device", device], ["Mode", Object.hasOwn(modes, mode) ? modes[mode] : mode],
    ["Last ping", last_ping ? ago(last_ping) : "none yet"],
    ["Next ping", earliest_ping ? `after ${earliest_ping} at the earliest` : "with the next position"],
    ["Last decision", last_decision ?? "none yet"],
    ["Decisions", Object.entries(decisions).map(([name, number]) => `${name} ${count(number)}`).join(", ") || "none yet"],
  ];
}

/** The pane. */
export class ControlPane {
  #controller = new AbortController();
  #sections = new Map();
  #timer;

  constructor(control, alerts) {
    this.control = control;
    this.positions = element("ul", { class: "sentences" });
    this.commands = element("div");
    this.status = element("p", { class: "note", role: "status" });
    byID("control").append(
      element("section", { "aria-labelledby": "positions-title" }, element("h2", { id: "positions-title" }, "Positions"), this.positions),
      alerts.node, this.commands, this.status);
    control.addEventListener("change", () => this.#draw());
    this.#draw();
  }

  /** Shows or hides the pane. */
  show(isShown) {
    this.control.watch(isShown);
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!isShown) return;
    this.#guide();
    this.#timer = setInterval(() => {
      if (!document.hidden) this.#guide();
    }, interval);
  }

  async #guide() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const sentences = await guidance(this.#controller.signal).catch(() => undefined);
    if (sentences) this.positions.replaceChildren(...sentences.map((text) => element("li", { dir: "auto" }, text)));
  }

  async #run(text, body) {
    setText(this.status, `${text}…`);
    try {
      setText(this.status, (await body()) ?? `${text}: done.`);
    } catch (error) {
      setText(this.status, `${text}: ${error.message}`);
    }
  }

  /** Draws the sections. Existing nodes are kept, because a click may be in progress in one. */
  #draw() {
    const { control } = this;
    const wanted = [];
    if (control.problem) wanted.push([`problem ${control.problem}`, () => ({ node: element("p", {}, control.problem) })]);
    if (control.hasHome) wanted.push([`home ${JSON.stringify(control.home)}`, () => this.#home()]);
    for (const { name, status } of control.of("pinger")) wanted.push([`pinger ${status.state} ${name}`, () => this.#pinger(name, status)]);
    for (const { name } of control.of("replay")) wanted.push([`replay ${name}`, () => this.#replay(name)]);
    if (wanted.length === 0) wanted.push(["nothing", () => ({ node: element("p", {}, "No plugin of this program accepts commands.") })]);
    const kept = new Map(wanted.map(([key, make]) => [key, this.#sections.get(key) ?? make()]));
    const nodes = [...kept.values()].map(({ node }) => node);
    if (nodes.length !== this.commands.children.length || nodes.some((node, index) => node !== this.commands.children[index])) {
      const focused = document.activeElement?.dataset.command;
      this.commands.replaceChildren(...nodes);
      if (focused) [...this.commands.querySelectorAll("button")].find((one) => one.dataset.command === focused)?.focus();
    }
    this.#sections = kept;
    for (const { update } of kept.values()) update?.();
  }

  #button(command, label, onclick) {
    return element("button", { type: "button", data: { command }, onclick }, label);
  }

  #home() {
    const { home } = this.control;
    const set = async () => {
      const { lat, lon } = await this.control.setHome();
      return `The home is ${lat.toFixed(5)}, ${lon.toFixed(5)}.`;
    };
    const clear = async () => {
      if (!await confirmed("Clear the home", "The pinger has no home mode until a home is set again.", "Clear")) return;
      this.#run("Clear the home", async () => void await this.control.clearHome());
    };
    return { node: element("section", { "aria-label": "Home" }, element("h2", {}, "Home"),
      element("p", { class: "mono" }, home ? `${home.lat.toFixed(5)}, ${home.lon.toFixed(5)}` : "not set"),
      element("div", { class: "buttons" },
        this.#button("home set", "Set home to current location", () => this.#run("Set home to current location", set)),
        ...(home ? [this.#button("home clear", "Clear the home", clear)] : []))) };
  }

  #pinger(name, { state }) {
    const send = (label, body) => () => this.#run(label, async () => void await this.control.send(name, body));
    const actions = state === "running"
      ? [["Stop", { command: "stop" }], ["Stop for 2 h", { command: "stop", for: "2h" }]] : [["Start", { command: "start" }]];
    const list = element("dl", { class: "facts" });
    const node = element("section", { "aria-label": `Pinger ${name}` }, element("h2", { dir: "auto" }, name), list,
      element("div", { class: "buttons" }, ...[...actions, ["Ping now", { command: "ping" }]].map(([label, body], index) =>
        // The focus stays in the same position when a pinger is started or stopped.
        this.#button(`${name} ${label === "Ping now" ? label : index}`, label, send(label, body)))));
    const update = () => list.replaceChildren(...facts(this.control.instances.get(name).status).flatMap(([term, text]) => [
      element("dt", {}, term), element("dd", { dir: "auto" }, text),
    ]));
    return { node, update };
  }

  #replay(name) {
    const text = element("p");
    const update = () => {
      const { status } = this.control.instances.get(name);
      const length = status.duration === undefined ? "" : ` of ${span(status.duration)}`;
      setText(text, `Replay: ${status.state}, ${span(status.time)}${length}, ${status.rate} ×. Its controls are below the timeline.`);
    };
    return { node: element("section", { "aria-label": `Replay ${name}` }, element("h2", { dir: "auto" }, name), text), update };
  }
}
