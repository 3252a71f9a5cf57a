// Whether positions arrive, and what to do if they do not.

import { get, isAbort } from "./api.js";
import { title } from "./devices.js";
import { duration, milliseconds } from "./format.js";

/** The time without a position after which the page reports this, in milliseconds. */
const patience = 60_000;

/** Remedies for the errors of CoreLocation's domain, by their codes. */
const remedies = {
  0: "Check that the receiver has a clear view of the sky (gpsmon shows its satellites), and is in DEVICES in /etc/default/gpsd.",
  1: "For a remote gpsd: start it with -G, and check its firewall. For a serial receiver: "
    + "add the user to the group dialout, and log in again.",
  2: "Start gpsd: systemctl enable --now gpsd.socket. If it is running, check the host and port of the input.",
};

/** Sentences about the positions of the last day. */
export async function guidance(signal) {
  const last = async (q) => {
    const { records } = await get("/api/records", { q, since: "-24h", limit: 1 }, signal);
    return records[0];
  };
  try {
    const [fix, error] = await Promise.all([
      last("event:geo.location"), last('event:geo.error taffrail.geo.error.domain="kCLErrorDomain"'),
    ]);
    const found = [];
    const age = (record) => duration(Date.now() - milliseconds(record.time));
    if (fix) found.push(`The last position of ${title(fix.device ?? "")} is ${age(fix)} old.`);
    else found.push("No position has arrived in the last 24 hours.");
    const isOver = error && fix && fix.time > error.time;
    if (error && !isOver) {
      const code = error.attributes?.["taffrail.geo.error.code"];
      const remedy = Object.hasOwn(remedies, code) ? ` ${remedies[code]}` : "";
      found.push(`${title(error.device ?? "")} reports, ${age(error)} ago: “${error.message}”.${remedy}`);
    } else if (!fix || Date.now() - milliseconds(fix.time) > patience) {
      found.push("If you expect positions, run taffrail doctor on the machine with the receiver to find the cause.");
    }
    return found;
  } catch (error) {
    if (isAbort(error)) throw error;
    return [error.message];
  }
}
