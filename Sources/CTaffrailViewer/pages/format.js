// Times, numbers and units as text.

const two = (number) => String(number).padStart(2, "0");
const three = (number) => String(number).padStart(3, "0");

/** The user's preferences, which the options change. */
export const preferences = { zone: "local", units: "metric" };

/** Parses a time in RFC 3339 format, as milliseconds since 1970. */
export const milliseconds = (text) => Date.parse(text);

/** Formats milliseconds since 1970 in RFC 3339 format. */
export const timestamp = (milliseconds) => new Date(milliseconds).toISOString();

/** A time one nanosecond later, to include the time in an exclusive end. */
export function after(text) {
  const match = /^(.*?)(?:\.(\d+))?Z$/.exec(text);
  if (!match) return text;
  const nanoseconds = Number((match[2] ?? "").padEnd(9, "0").slice(0, 9)) + 1;
  if (nanoseconds < 1e9) return `${match[1]}.${String(nanoseconds).padStart(9, "0")}Z`;
  return timestamp(Date.parse(`${match[1]}Z`) + 1000);
}

function parts(milliseconds) {
  const date = new Date(milliseconds);
  return preferences.zone === "utc"
    ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(),
      date.getUTCSeconds(), date.getUTCMilliseconds()]
    : [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds(),
      date.getMilliseconds()];
}

/** A day: 2026-01-05. */
export function day(time) {
  const [year, month, date] = parts(time);
  return `${year}-${two(month)}-${two(date)}`;
}

/** A time of the day: 14:30:00.123. */
export function clock(time) {
  const [, , , hours, minutes, seconds, rest] = parts(time);
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${three(rest)}`;
}

/** A time: 2026-01-05 14:30:00.123. */
export const full = (time) => `${day(time)} ${clock(time)}`;

/** A time for users, with the precision that suits a range of a given length. */
export function tick(time, length) {
  const [, , , hours, minutes, seconds] = parts(time);
  if (length > 3 * 86_400_000) return day(time).slice(5);
  if (length > 600_000) return `${two(hours)}:${two(minutes)}`;
  return `${two(hours)}:${two(minutes)}:${two(seconds)}`;
}

/** A duration for users. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

/** A number of seconds as a time: 1:02:03. */
export function span(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const whole = new Intl.NumberFormat("en");

/** A count: 12,345. */
export const count = (number) => whole.format(number);

/** A count and its noun. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const lengths = {
  metric: [[1000, 1000, "km"], [1, 1, "m"]],
  imperial: [[1609.344, 1609.344, "mi"], [0.3048, 0.3048, "ft"]],
  nautical: [[1852, 1852, "NM"], [1, 1, "m"]],
};

/** Formats a distance, given in metres, in the units of the options. */
export function distance(metres) {
  const [large, small] = lengths[preferences.units];
  const [, divisor, name] = metres >= large[0] ? large : small;
  const value = metres / divisor;
  return `${value >= 100 || divisor < 2 ? Math.round(value) : value.toFixed(1)} ${name}`;
}

const speeds = { metric: [3.6, "km/h"], imperial: [2.236936, "mph"], nautical: [1.943844, "kn"] };

/** The factor and the name of the unit of speeds. */
export const speedUnit = () => speeds[preferences.units];

/** Formats a speed, given in metres per second, in the units of the options. */
export function speed(metresPerSecond) {
  const [factor, name] = speedUnit();
  return `${(metresPerSecond * factor).toFixed(1)} ${name}`;
}

/** The length of text, for users. */
export function size(characters) {
  return characters < 1 << 20 ? `${Math.ceil(characters / 1024)} KiB` : `${(characters / (1 << 20)).toFixed(1)} MiB`;
}

/** Text that fits on a line: without line breaks, and limited in length. */
export function line(text, limit = 600) {
  const short = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return short.replace(/[\r\n\t\u2028\u2029]+/g, " ");
}
