internal import Taffrail

/// Reads GPX 1.0 and 1.1: the points of tracks, and of routes where there are no tracks.
///
/// Between two segments there is no position. Speed and course are taken from GPX 1.0's elements, and from any
/// extension's of that name, such as Garmin's TrackPointExtension v2. Waypoints are passed over.
final class GPXReader: TrackReader {
    private var reader: XMLReader
    private let path: String
    private var schedule = TrackSchedule()
    private var hasRoot = false
    private var needsGap = false
    private var pending: RecordedEvent?
    private(set) var metadata: RecordingMetadata?

    init(_ source: any ByteSource, path: String) {
        reader = XMLReader(source)
        self.path = path
    }

    init(_ bytes: some Collection<UInt8>, path: String = "track.gpx") {
        reader = XMLReader(bytes)
        self.path = path
    }

    func next() throws(RecordingError) -> RecordedEvent? {
        if let event = pending {
            pending = nil
            return event
        }
        do throws(ReadError) {
            return try read()
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    private func read() throws(ReadError) -> RecordedEvent? {
        while true {
            switch try reader.next() {
            case .finish: return nil
            case .start where !hasRoot:
                guard reader.isName("gpx") else { throw reader.window.error("the root element is not gpx") }
                hasRoot = true
            case .start:
                if reader.isName("trkpt") || reader.isName("rtept") { return try point() }
                if reader.isName("metadata") {
                    try readMetadata()
                } else if reader.isName("wpt") {
                    try reader.skipElement()
                }
            case .end: if reader.isName("trkseg") || reader.isName("rte") { needsGap = true }
            case .text: break
            }
        }
    }

    private func readMetadata() throws(ReadError) {
        let level = reader.depth
        while reader.depth >= level {
            guard try reader.next() == .start else { continue }
            if reader.isName("time") && reader.depth == level + 1 {
                try reader.readText()
                metadata = RFC3339.timestamp(reader.string, zoneRequired: false).map {
                    RecordingMetadata(recordedAt: $0)
                }
            } else {
                try reader.skipElement()
            }
        }
    }

    private func point() throws(ReadError) -> RecordedEvent {
        guard let latitude = reader.attribute("lat").flatMap(Self.number),
            let longitude = reader.attribute("lon").flatMap(Self.number)
        else { throw reader.window.error("a point without lat and lon") }
        var location = Location(latitude: latitude, longitude: longitude, timestamp: Timestamp(nanoseconds: 0))
        guard location.coordinate.isValid else { throw reader.window.error("a point that is not on the earth") }
        var time: Timestamp?
        let level = reader.depth
        while reader.depth >= level {
            guard try reader.next() == .start else { continue }
            try member(&location, &time)
        }
        if let altitude = location.altitude, let separation = location.extra.geoidSeparation {
            location.ellipsoidalAltitude = altitude + separation
        }
        guard needsGap else { return schedule.event(location, time: time) }
        needsGap = false
        let gap = schedule.gap("the track is interrupted")
        pending = schedule.event(location, time: time)
        return gap
    }

    /// Reads an element of a point; of extensions the elements inside.
    private func member(_ location: inout Location, _ time: inout Timestamp?) throws(ReadError) {
        if reader.isName("extensions") || reader.isName("TrackPointExtension") { return }
        if reader.isName("time") {
            try reader.readText()
            time = RFC3339.timestamp(reader.string, zoneRequired: false)
            guard time != nil else { throw reader.window.error("\(reader.string) is no time") }
            return
        }
        let name = reader.name
        guard Self.numbers.contains(where: name.is) else { return try reader.skipElement() }
        try reader.readText()
        guard !reader.text.trimmed.isEmpty else { return }
        guard let value = reader.number else {
            throw reader.window.error("\(reader.string) is no number for \(String(decoding: name, as: UTF8.self))")
        }
        if name.is("ele") { location.altitude = value }
        if name.is("speed"), value >= 0 { location.speed = value }
        if name.is("course"), value >= 0, value <= 360 { location.course = value == 360 ? 0 : value }
        if name.is("geoidheight") { location.extra.geoidSeparation = value }
        if name.is("sat") { location.extra.satellites = Int(exactly: value) }
        if name.is("hdop") { location.extra.hdop = value }
        if name.is("vdop") { location.extra.vdop = value }
        if name.is("pdop") { location.extra.pdop = value }
    }

    private static let numbers: [StaticString] = [
        "ele", "speed", "course", "geoidheight", "sat", "hdop", "vdop", "pdop",
    ]

    private static func number(_ bytes: [UInt8]) -> Double? {
        bytes.trimmed.withUnsafeBufferPointer { DecimalText.double($0) }
    }
}
