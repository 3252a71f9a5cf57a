// Tracks as files: GPX, and recordings as `taffrail record` writes them.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// Other control characters are not allowed in XML, however they are written.
const xml = (text) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "�").replace(/[&<>"]/g, (one) => escapes[one]);

/** A track in GPX 1.1; each piece is a segment. */
function gpx(name, pieces) {
  const point = ({ lat, lon, time }) => `<trkpt lat="${lat}" lon="${lon}"><time>${time}</time></trkpt>\n`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Taffrail" xmlns="http://www.topografix.com/GPX/1/1">\n',
    `<trk><name>${xml(name)}</name>\n`, ...pieces.map((points) => `<trkseg>\n${points.map(point).join("")}</trkseg>\n`), "</trk></gpx>\n",
  ];
}

/** A recording; its time runs on between pieces. */
function recording(name, pieces) {
  const points = pieces.flat();
  const start = points[0].at;
  const event = ({ lat, lon, time, at, speed }) => JSON.stringify({
    type: "location", timestamp: time, relativeTime: (at - start) / 1000,
    data: { coordinate: { latitude: lat, longitude: lon }, ...(speed === undefined ? {} : { speed }), timestamp: time },
  });
  const metadata = {
    version: "1.0", recordedAt: points[0].time, device: name, systemVersion: "", duration: (points.at(-1).at - start) / 1000,
    eventCount: points.length,
  };
  return [`{"metadata":${JSON.stringify(metadata)},"events":[\n`, points.map(event).join(",\n"), "\n]}\n"];
}

/** By an extension: its media type, and what writes a name and pieces of points. */
export const trackFormats = {
  gpx: ["application/gpx+xml", gpx],
  json: ["application/json", recording],
};
