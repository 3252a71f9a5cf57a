// The alerts of the configuration: their rules, and the raised alerts with the times at which they were raised.

import { get, isAbort, session } from "./api.js";
import { title } from "./devices.js";
import { byID, element, setText } from "./dom.js";
import { count, counted, duration, full, milliseconds } from "./format.js";
import { condition } from "./query.js";
import { view } from "./view.js";

/** The interval of requests for the rules, in milliseconds. */
const interval = 5000;

const seconds = (number) => duration(number * 1000).replace(/ 0 (s|min|h)$/, "");

/** The condition under which a rule raises an alert. */
const meaning = (rule) => (rule.silence === undefined
  ? `${counted(rule.threshold, "record")} in ${seconds(rule.window)}` : `no record for ${seconds(rule.silence)}`);

/** `ok`, `firing`, or `silent` for a rule without records. */
const stateOf = (rule) => (rule.raised.length === 0 ? "ok" : rule.silence === undefined ? "firing" : "silent");

/** The query of a rule, or of one of its devices. */
const queryOf = (rule, device) => (device === undefined ? rule.query : `${rule.query} ${condition("device", device)}`.trim());

/** The count, and the time of the last record. */
function value({ count: number, last }) {
  return [
    number === undefined ? "" : `${count(number)} now`, last ? `last record ${duration(Date.now() - milliseconds(last))} ago` : "no record yet",
  ].filter(Boolean).join(", ");
}

/** A link to the records of a query. */
function link(text, q) {
  const values = { q, tab: "logs", id: "", range: "", since: "", until: "" };
  return element("a", { href: view.addressWith(values), data: { alert: q }, onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    view.set(values);
  } }, text);
}

/** The section with the rules; hidden if none are configured. */
export class Alerts {
  /** The ids of the raised alerts; undefined before the first response. */
  #raised;
  #drawn = "";
  #updates = [];
  #timer;

  constructor() {
    this.list = element("ul", { class: "alerts" });
    this.note = element("p", { class: "note" });
    this.node = element("section", { id: "alerts", hidden: true, "aria-labelledby": "alerts-title" },
      element("h2", { id: "alerts-title" }, "Alerts"), this.note, this.list);
    this.alarm = byID("alarm");
  }

  /** Starts requesting the rules periodically, while any are configured. */
  async begin() {
    // Without alerts, the request would log an error in the browser's console.
    const { alerts } = await session().catch(() => ({}));
    if (!alerts || !await this.load()) return;
    this.#timer ??= setInterval(() => {
      if (!document.hidden) this.load();
    }, interval);
  }

  /** Requests the rules; returns `false` if none are configured. */
  async load() {
    try {
      const { alerts } = await get("/api/alerts");
      this.node.hidden = false;
      setText(this.note, alerts.length === 0 ? "The sink has no rules yet." : "");
      this.#draw(alerts);
      this.#announce(alerts);
    } catch (error) {
      if (error.status === 404 || error.status === 403) {
        clearInterval(this.#timer);
        return false;
      }
      if (!isAbort(error)) setText(this.note, error.message);
    }
    return true;
  }

  #draw(rules) {
    const state = JSON.stringify(rules.map(({ name, query, raised, threshold, window, silence }) =>
      [name, query, threshold, window, silence, raised.map(({ id, device }) => [id, device])]));
    if (state !== this.#drawn) {
      this.#drawn = state;
      const focused = document.activeElement?.dataset.alert;
      this.#updates = [];
      this.list.replaceChildren(...rules.map((rule, index) => this.#row(rule, index)));
      if (focused !== undefined) [...this.list.querySelectorAll("a")].find((one) => one.dataset.alert === focused)?.focus();
    }
    for (const update of this.#updates) update(rules);
  }

  #row(rule, index) {
    const state = stateOf(rule);
    const facts = element("span", { class: "note" });
    this.#updates.push((rules) => {
      const { devices, uncounted } = rules[index];
      setText(facts, [
        meaning(rule), devices === undefined ? "" : counted(devices, "device"), value(rules[index]),
        uncounted === undefined ? "" : `${counted(uncounted, "record")} of further devices are not counted`,
      ].filter(Boolean).join(", "));
    });
    return element("li", { data: { state } },
      element("p", {}, element("span", { class: `state ${state}` }, state), " ", element("strong", { dir: "auto" }, rule.name), " ",
        link(`Records of ${rule.name}`, rule.query)),
      facts, ...(rule.raised.length === 0 ? [] : [element("ul", {}, ...rule.raised.map((one) => this.#raisedRow(rule, index, one)))]));
  }

  #raisedRow(rule, index, { id, device, since }) {
    const text = element("span");
    this.#updates.push((rules) => {
      const now = rules[index].raised.find((one) => one.id === id) ?? {};
      const age = duration(Date.now() - milliseconds(since));
      setText(text, `since ${full(milliseconds(since)).slice(0, 19)} (${age}), ${value(now)} `);
    });
    return element("li", {}, device === undefined ? "" : element("bdi", {}, `${title(device)}: `), text,
      ...(device === undefined ? [] : [link(`Records of ${title(device)}`, queryOf(rule, device))]));
  }

  /** Announces the alerts raised since the last response. */
  #announce(rules) {
    const all = rules.flatMap((rule) => rule.raised.map((one) => ({ rule, ...one })));
    const known = this.#raised;
    this.#raised = new Set(all.map(({ id }) => id));
    if (!known) return;
    const added = all.filter(({ id }) => !known.has(id));
    if (added.length === 0) {
      // The announcement is removed once no alert is raised.
      if (all.length === 0) this.#dismiss();
      return;
    }
    const names = added.map(({ rule, device }) => `${rule.name}${device === undefined ? "" : ` of ${title(device)}`} (${meaning(rule)})`);
    this.alarm.replaceChildren(element("span", { dir: "auto" }, `Alert: ${names.slice(0, 5).join("; ")}${names.length > 5 ? "; …" : ""} `),
      link("Its records", queryOf(added[0].rule, added[0].device)), " ",
      element("button", { type: "button", onclick: () => this.#dismiss() }, "Dismiss"));
    this.alarm.hidden = false;
  }

  #dismiss() {
    this.alarm.replaceChildren();
    this.alarm.hidden = true;
  }
}
