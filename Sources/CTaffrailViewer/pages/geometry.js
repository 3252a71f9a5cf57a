// Distances on the sphere, and positions of a track.

const radius = 6_371_008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** The distance of two places in metres (haversine). */
export function metres(one, other) {
  const latitude = Math.sin(radians(other.lat - one.lat) / 2) ** 2;
  const longitude = Math.sin(radians(other.lon - one.lon) / 2) ** 2;
  const part = latitude + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * longitude;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(part)));
}

/** The length of a track in metres. */
export const trackLength = (points) =>
  points.reduce((sum, point, index) => (index === 0 ? 0 : sum + metres(points[index - 1], point)), 0);

/** The index of the last point that is not after a time; -1: all are after it. */
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

/** The longest time without a position over which one is assumed, in milliseconds. */
const longestGap = 600_000;

/** Where a track is at a time; undefined before, after, and in a gap. */
export function positionAt(points, time) {
  const index = indexAt(points, time);
  const before = points[index];
  if (!before) return undefined;
  const next = points[index + 1];
  if (!next) return time - before.at <= longestGap ? before : undefined;
  // What a simplified track leaves out between two points lies on the line.
  const part = (time - before.at) / Math.max(1, next.at - before.at);
  let east = next.lon - before.lon;
  if (east > 180) east -= 360;
  if (east < -180) east += 360;
  return { ...before, at: time, lat: before.lat + (next.lat - before.lat) * part, lon: before.lon + east * part };
}

/** How far a point is from the line between two others, in metres, on a plane that touches the sphere there. */
function offset(point, start, end) {
  const scale = Math.cos(radians(start.lat));
  const plane = ({ lat, lon }) => [radians(((lon - start.lon + 540) % 360) - 180) * radius * scale, radians(lat - start.lat) * radius];
  const [[x, y], [east, north]] = [plane(point), plane(end)];
  const length = east ** 2 + north ** 2;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, (x * east + y * north) / length));
  return Math.hypot(x - part * east, y - part * north);
}

/** The points of a track but for those that are within a distance of the line through the others (Douglas and Peucker). */
export function simplified(points, tolerance) {
  if (tolerance <= 0 || points.length < 3) return points;
  const kept = new Set([0, points.length - 1]);
  const parts = [[0, points.length - 1]];
  while (parts.length > 0) {
    const [start, end] = parts.pop();
    let [farthest, most] = [-1, tolerance];
    for (let index = start + 1; index < end; index++) {
      const away = offset(points[index], points[start], points[end]);
      if (away > most) [farthest, most] = [index, away];
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    parts.push([start, farthest], [farthest, end]);
  }
  return points.filter((_, index) => kept.has(index));
}

/** The points of a track so that a line through them does not go around the world at the antimeridian. */
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
