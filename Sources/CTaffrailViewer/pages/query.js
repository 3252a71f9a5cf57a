// The text of queries: its conditions, and the conditions that clicks add. What it means is for the server to decide.

const reserved = new Set([
  "level", "logger", "device", "event", "since", "until", "near", "box", "message", "trace", "span", "run",
]);

/** A value in quotes. */
export function quoted(text) {
  const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return `"${text.replace(/["\\\n\r\t]/g, (found) => escapes[found])}"`;
}

const isPlain = (text) => /^[\p{L}_][\p{L}\p{N}_.\-/]*$/u.test(text);

/** The name of an attribute as a query has it. */
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

/** The condition of what was logged near a place. */
export const near = (latitude, longitude, metres) => `near:${latitude.toFixed(5)},${longitude.toFixed(5)},${metres}m`;

/** The conditions of a query, as they are written. */
export function conditions(query) {
  return query.match(/(?:"(?:[^"\\]|\\.)*"?|[^\s"])+/gs) ?? [];
}

/** Whether a query has a condition. */
export const has = (query, wanted) => conditions(query).includes(wanted);

/** A query without a condition. */
export const without = (query, unwanted) => conditions(query).filter((one) => one !== unwanted).join(" ");

/** The field that a condition is about, with its operator: `level:`. */
const subject = (one) => /^-?(?:@?"(?:[^"\\]|\\.)*"|[^:=<>!~"]+)(?:>=|<=|!=|[:=<>~])/s.exec(one)?.[0];

/** A query with one more condition, which replaces one of the same field, or without it if it has it. */
export function toggled(query, wanted) {
  if (has(query, wanted)) return without(query, wanted);
  const kept = conditions(query).filter((one) => one !== `-${wanted}` && `-${one}` !== wanted &&
    (wanted.startsWith("-") || subject(one) !== subject(wanted)));
  return [...kept, wanted].join(" ");
}
