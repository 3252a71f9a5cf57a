// Distances on the sphere, and positions of a track.

const radius = 6_371_008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** The distance between two positions, in metres (haversine). */
export function metres(one, other) {
  const latitude = Math.sin(radians(other.lat - one.lat) / 2) ** 2;
  const longitude = Math.sin(radians(other.lon - one.lon) / 2) ** 2;
  const part = latitude + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * longitude;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(part)));
}

/** The length of a track in metres. */
export const trackLength = (points) =>
  points.reduce((sum, point, index) => (index === 0 ? 0 : sum + metres(points[index - 1], point)), 0);

/** The index of the last point that is not after a time; -1 if all are after it. */
export function indexAt(points, time) {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].at <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How long a device is assumed to stay at the last position of its track, in milliseconds. */
const longestGap = 600_000;

/** The position of a track at a time; undefined before its start, and later than `longestGap` after its end. */
export function positionAt(points, time) {
  const index = indexAt(points, time);
  const before = points[index];
  if (!before) return undefined;
  const next = points[index + 1];
  if (!next) return time - before.at <= longestGap ? before : undefined;
  // Points that a simplified track omits are on the line between two others.
  const part = (time - before.at) / Math.max(1, next.at - before.at);
  let east = next.lon - before.lon;
  if (east > 180) east -= 360;
  if (east < -180) east += 360;
  return { ...before, at: time, lat: before.lat + (next.lat - before.lat) * part, lon: before.lon + east * part };
}

/** The points of a track, adjusted so that its line does not cross the whole map at the antimeridian. */
export function unwrapped(points) {
  let shift = 0;
  return points.map((point, index) => {
    if (index > 0) {
      const step = point.lon - points[index - 1].lon;
      if (step > 180) shift -= 360;
      if (step < -180) shift += 360;
    }
    return [point.lat, point.lon + shift];
  });
}
