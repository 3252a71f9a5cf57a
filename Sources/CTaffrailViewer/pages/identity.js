// Which record is which. The event stream has records before a store has given them an id, but every record has the run of
// the program that logged it and its number there.

import { get } from "./api.js";
import { after } from "./format.js";

/** Gives records the key by which they are known here. */
export function identified(records) {
  for (const record of records) {
    record.key = record.run && record.seq !== undefined ? `${record.run} ${record.seq}` : record.id;
  }
  return records;
}

/** The id that the store has given a record; empty if it has none yet. */
export async function storedID(record) {
  if (record.id) return record.id;
  if (!record.run) return "";
  const { records } = await get("/api/records", {
    q: `run:${record.run}`, since: record.time, until: after(record.time), limit: 1000,
  });
  record.id = identified(records).find((found) => found.key === record.key)?.id ?? "";
  return record.id;
}
