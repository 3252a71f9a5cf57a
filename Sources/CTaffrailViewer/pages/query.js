// The text of queries: its conditions, and the conditions that clicks add. Only the server interprets it.

const reserved = new Set([
  "level", "logger", "device", "event", "since", "until", "near", "box", "message", "trace", "span", "run",
]);

/** A value in quotes. */
export function quoted(text) {
  const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return `"${text.replace(/["\\\n\r\t]/g, (found) => escapes[found])}"`;
}

const isPlain = (text) => /^[\p{L}_][\p{L}\p{N}_.\-/]*$/u.test(text);

/** The name of an attribute, as in a query. */
function attribute(name) {
  if (isPlain(name)) return reserved.has(name) ? `@${name}` : name;
  return `@${quoted(name)}`;
}

/** The condition that a field has a value. */
export function condition(field, value) {
  switch (field) {
    case "level": return `level:${value}`;
    case "logger": return `logger=${isPlain(value) ? value : quoted(value)}`;
    case "device": return `device:${isPlain(value) ? value : quoted(value)}`;
    case "event": return `event:${isPlain(value) ? value : quoted(value)}`;
    case "trace": return `trace:${value}`;
    case "span": return `span:${value}`;
    case "run": return `run:${value}`;
    default: return `${attribute(field)}=${typeof value === "string" ? quoted(value) : String(value)}`;
  }
}

/** The condition for records near a position. */
export const near = (latitude, longitude, metres) => `near:${latitude.toFixed(5)},${longitude.toFixed(5)},${metres}m`;

/** The conditions of a query, as written. */
export function conditions(query) {
  return query.match(/(?:"(?:[^"\\]|\\.)*"?|[^\s"])+/gs) ?? [];
}

/** Whether a query has a condition. */
export const has = (query, wanted) => conditions(query).includes(wanted);

/** A query without a condition. */
export const without = (query, unwanted) => conditions(query).filter((one) => one !== unwanted).join(" ");

/** The field of a condition, with its operator: `level:`. */
const subject = (one) => /^-?(?:@?"(?:[^"\\]|\\.)*"|[^:=<>!~"]+)(?:>=|<=|!=|[:=<>~])/s.exec(one)?.[0];

/** A query with a condition added, replacing one of the same field, or with the condition removed if it is present. */
export function toggled(query, wanted) {
  if (has(query, wanted)) return without(query, wanted);
  const kept = conditions(query).filter((one) => one !== `-${wanted}` && `-${one}` !== wanted &&
    (wanted.startsWith("-") || subject(one) !== subject(wanted)));
  return [...kept, wanted].join(" ");
}
