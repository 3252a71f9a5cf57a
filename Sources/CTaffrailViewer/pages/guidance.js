// Whether positions arrive, and what to do where they do not.

import { get, isAbort } from "./api.js";
import { title } from "./devices.js";
import { duration, milliseconds } from "./format.js";

/** After how many milliseconds without a position the page mentions it. */
const patience = 60_000;

/** Remedies for the errors of CoreLocation's domain, by their codes. */
const remedies = {
  0: "Does the receiver see the sky? gpsmon shows its satellites. Is it among DEVICES in /etc/default/gpsd?",
  1: "Start gpsd with -G for other machines than its own, and see its firewall. For a serial receiver: "
    + "add the user to the group dialout, and log in again.",
  2: "Start gpsd: systemctl enable --now gpsd.socket. If it runs, compare host and port of the input with its own.",
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
      found.push("If positions should arrive: taffrail doctor, on the machine of the receiver, finds out why they do not.");
    }
    return found;
  } catch (error) {
    if (isAbort(error)) throw error;
    return [error.message];
  }
}
