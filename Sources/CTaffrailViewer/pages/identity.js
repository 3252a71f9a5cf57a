// The identity of records. Records of the event stream have no id of a store yet, but every record contains the run of
// the program that logged it, and its number in the run.

import { get } from "./api.js";
import { after } from "./format.js";

/** Adds the key that identifies each record in these pages. */
export function identified(records) {
  for (const record of records) {
    record.key = record.run && record.seq !== undefined ? `${record.run} ${record.seq}` : record.id;
  }
  return records;
}

/** The id of a record in the store; empty if it has none yet. */
export async function storedID(record) {
  if (record.id) return record.id;
  if (!record.run) return "";
  const { records } = await get("/api/records", {
    q: `run:${record.run}`, since: record.time, until: after(record.time), limit: 1000,
  });
  record.id = identified(records).find((found) => found.key === record.key)?.id ?? "";
  return record.id;
}
