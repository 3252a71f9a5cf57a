// The keys of the page.

import { byID, isTyping } from "./dom.js";

/** The actions of the keys, for the dialog that lists them. */
export const keys = [
  [["/"], "Filter"],
  [["↓", "↑", "j", "k"], "Next and previous record"],
  [["Shift ↓", "Shift ↑"], "Select several records"],
  [["Home", "End"], "Newest and oldest loaded record"],
  [["c"], "Copy the selected records"],
  [["Esc"], "Close the record; then clear the time cursor"],
  [["p"], "Pause and continue the live records"],
  [["[", "]"], "Move the time cursor backward and forward"],
  [["+", "-"], "Zoom of the map, while it has the focus"],
  [["l", "m", "b"], "Show logs, map or both"],
  [["y", "x"], "Show history or control"],
  [["h"], "Show and hide the charts"],
  [["o"], "Options"],
  [["?"], "These keys"],
];

/** Listens for keys; `actions` contains a function for each. */
export function listen(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target === byID("query")) return event.target.blur();
    if (isTyping(event.target)) return;
    const action = actions[event.key];
    if (!action || event.defaultPrevented) return;
    event.preventDefault();
    action();
  });
}
