// The page, which connects its parts.

import { Alerts } from "./alerts.js";
import { Bars } from "./bars.js";
import { Charts } from "./charts.js";
import { Control } from "./control.js";
import { ControlPane } from "./controlpane.js";
import { cursor } from "./cursor.js";
import { Detail } from "./detail.js";
import { byID, debounced, element, setText } from "./dom.js";
import { Facets } from "./facets.js";
import { HistoryPane } from "./history.js";
import { Journeys } from "./journeys.js";
import { listen } from "./keys.js";
import { Logs } from "./logs.js";
import { MapPanel } from "./map.js";
import { begin, showKeys, showOptions } from "./options.js";
import { showRemotes } from "./remote.js";
import { Timeline } from "./timeline.js";
import { view } from "./view.js";

const ranges = {
  "": "All time", "15m": "15 minutes", "1h": "1 hour", "6h": "6 hours", "24h": "24 hours", "168h": "7 days", custom: "Zoomed",
};

const tabs = ["logs", "map", "both", "history", "control"];

begin();
const timeline = new Timeline();
const charts = new Charts(timeline);
timeline.bar.append(charts.button);
const journeys = new Journeys();
new Bars(timeline, journeys);
const control = new Control();
showRemotes(control);
const facets = new Facets();
const logs = new Logs(cursor);
const detail = new Detail();
const map = new MapPanel(journeys, control);
const alerts = new Alerts();
const pane = new ControlPane(control, alerts);
const past = new HistoryPane(journeys, control, { onshow: (one) => map.showJourney(one), ondelete: () => load() });

past.route.addEventListener("drawn", ({ pieces }) => map.showRoute(pieces));

// The bar

const query = byID("query");
const range = byID("range");
range.append(...Object.entries(ranges).map(([value, text]) => element("option", { value }, text)));

function showBar() {
  if (document.activeElement !== query || query.value === view.q) query.value = view.q;
  range.value = view.since || view.until ? "custom" : view.range in ranges ? view.range : "";
  range.querySelector("[value=custom]").hidden = !(view.since || view.until);
  const tab = tabs.includes(view.tab) ? view.tab : "logs";
  document.body.dataset.tab = tab;
  for (const button of byID("tabs").children) button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
  pane.show(tab === "control");
  showLive();
}

function showLive() {
  const live = byID("live");
  live.disabled = logs.isPast;
  live.setAttribute("aria-pressed", String(!logs.isPast && !logs.isPaused));
  live.title = logs.isPast ? "The time range has an end" : "";
}

byID("search").addEventListener("submit", (event) => {
  event.preventDefault();
  view.set({ q: query.value.trim(), id: "" });
});
range.addEventListener("change", () => {
  if (range.value !== "custom") view.set({ range: range.value, since: "", until: "", id: "" });
});
byID("tabs").addEventListener("click", (event) => {
  if (event.target.dataset.tab) view.set({ tab: event.target.dataset.tab });
});
byID("live").addEventListener("click", () => logs.pause(!logs.isPaused));
byID("menu").addEventListener("click", showOptions);
logs.addEventListener("pause", showLive);

// The query and its errors

function showProblem() {
  const { problem } = logs.records;
  const isWrong = problem?.status === 400;
  const place = problem?.column ? ` (character ${problem.column})` : "";
  byID("query-problem").hidden = !isWrong;
  setText(byID("query-problem"), isWrong ? `${problem.message}${place}` : "");
  query.setAttribute("aria-invalid", String(isWrong));
}
logs.addEventListener("report", showProblem);

/** Requests the visible data. A query selects only records, not positions. */
async function load(changed) {
  showBar();
  const opened = logs.open();
  timeline.load();
  facets.load();
  if (!changed || [...changed].some((name) => name !== "q")) {
    journeys.load();
    map.load();
  }
  await opened;
}
view.on(["q", "range", "since", "until"], load);
view.on(["tab"], () => {
  showBar();
  facets.refresh();
  map.refresh();
});
view.on(["zone", "units"], () => {
  logs.list.redraw();
  timeline.refresh();
  past.draw();
  map.refresh();
  if (detail.record) detail.show(detail.record);
});

// The cursor of list, timeline and map

const follow = debounced(120, (source) => {
  if (source === logs || !Number.isFinite(cursor.time)) return;
  logs.showTime(cursor.time);
});
cursor.addEventListener("change", ({ source }) => {
  logs.mark(cursor.time);
  map.showTime(cursor.time);
  follow(source);
});

logs.addEventListener("selected", ({ record }) => {
  detail.show(record);
  map.showRecord(record);
});
logs.selection.addEventListener("change", () => {
  if (!logs.selection.current) {
    detail.close();
    map.showRecord(undefined);
  }
});
detail.addEventListener("closed", () => logs.selection.clear());
detail.addEventListener("place", ({ record }) => {
  if (view.tab === "logs") view.set({ tab: "both" });
  map.showRecord(record, true);
});
// All records around a record, regardless of the filter.
detail.addEventListener("around", ({ record }) => view.set({ q: "", range: "", since: "", until: "", id: record.id }));

timeline.addEventListener("counted", ({ total }) => logs.setTotal(total));

// New records update the counts together, not one by one.
let isCounting = false;
logs.addEventListener("arrived", ({ records }) => {
  map.arrived(records);
  if (isCounting || document.hidden) return;
  isCounting = true;
  setTimeout(() => {
    isCounting = false;
    timeline.load();
    facets.load();
  }, 3000);
});

// Visits and trips are detected once a minute.
setInterval(() => {
  if (!document.hidden && !logs.isPast) journeys.load();
}, 60_000);

listen({
  "/": () => query.focus(),
  "?": showKeys,
  o: showOptions,
  p: () => {
    if (!logs.isPast) logs.pause(!logs.isPaused);
  },
  c: () => logs.copySelected(),
  j: () => logs.list.node.focus(),
  k: () => logs.list.node.focus(),
  "[": () => timeline.step(-0.01),
  "]": () => timeline.step(0.01),
  h: () => view.set({ charts: view.charts ? "" : "1" }),
  l: () => view.set({ tab: "logs" }),
  m: () => view.set({ tab: "map" }),
  b: () => view.set({ tab: "both" }),
  y: () => view.set({ tab: "history" }),
  x: () => view.set({ tab: "control" }),
  Escape: () => {
    if (logs.selection.current) logs.selection.clear();
    else cursor.set(NaN, logs);
  },
});

control.begin();
alerts.begin();
await load();
// The time in the address, unless the address contains a record.
if (!view.id && Number.isFinite(cursor.time)) logs.showTime(cursor.time);
