// One row of the list.

import { element, setText } from "./dom.js";
import { full, line, milliseconds } from "./format.js";

/** Creates an empty row. */
export function makeRow() {
  const row = element("div", { class: "row", role: "option" });
  row.cells = ["time", "level", "device", "logger", "message"].map((name) => element("span", { class: name }));
  // Names and messages in other scripts keep their own direction without changing that of the row.
  for (const cell of row.cells.slice(2)) cell.dir = "auto";
  row.append(...row.cells);
  return row;
}

/** Shows a record in a row. */
export function fillRow(row, record, { selected, current, cursor }) {
  row.setAttribute("aria-selected", record && selected.has(record.key) ? "true" : "false");
  row.classList.toggle("current", record !== undefined && record.key === current);
  row.classList.toggle("cursor", record !== undefined && record.key === cursor);
  const [time, level, device, logger, message] = row.cells;
  if (!record) {
    row.dataset.level = "";
    setText(time, "…");
    for (const cell of [level, device, logger, message]) setText(cell, "");
    return;
  }
  row.dataset.level = record.level;
  setText(time, full(milliseconds(record.time)).slice(5));
  setText(level, record.level);
  setText(device, record.device ?? "");
  setText(logger, record.logger ?? "");
  setText(message, line(record.message || record.event || ""));
}
