// Exports of records to the clipboard or a file.

import { get } from "./api.js";
import { announce, element } from "./dom.js";
import { counted } from "./format.js";
import { view } from "./view.js";

/** The maximum number of records that the page writes to a file. */
const limit = 100_000;

/** A record as a line of text. */
const text = (record) =>
  [record.time, record.level.toUpperCase(), record.device, record.logger, record.message].filter(Boolean).join(" ");

/** Copies text to the clipboard. */
export async function copyText(value) {
  if (navigator.clipboard) return navigator.clipboard.writeText(value);
  // Without TLS or a loopback address, browsers support only this.
  const area = element("textarea", { value, class: "unseen" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Copies records to the clipboard, as lines. */
export const copyRecords = (records) => copyText(records.map(text).join("\n"));

/** Saves text, given in parts, as a file. */
export function saveFile(name, type, parts) {
  const file = URL.createObjectURL(new Blob(parts, { type }));
  element("a", { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/** Saves records as JSON lines: the given ones, or all of the view. */
export async function exportRecords(some) {
  const records = some ?? [];
  let next = view.selection;
  while (!some && next && records.length < limit) {
    const page = await get("/api/records", { ...next, limit: 1000, order: "oldest" });
    records.push(...page.records);
    next = page.next ? { ...view.selection, cursor: page.next } : null;
    announce(`${counted(records.length, "record")} so far`);
  }
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  saveFile("records.ndjson", "application/x-ndjson", lines);
  announce(`${counted(records.length, "record")} exported${next && !some ? ", the maximum" : ""}.`);
}
