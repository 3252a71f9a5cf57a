internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads GPX 1.0 and 1.1: the points of tracks or, in a file without any, of routes, which are in memory until then.
///
/// Between two segments there is no position. Speed and course are taken from GPX 1.0's elements, and from any
/// extension's of that name, such as Garmin's TrackPointExtension v2. A point that cannot be read is skipped, counted and
/// described in the warnings; a file without any point that can be read is an error, as is one with waypoints alone.
final class GPXReader: ScheduledTrackReader {
    private struct Point {
        var location: Location
        var time: Timestamp?
        var startsRoute = false
    }

    private var reader: XMLReader
    private let path: String
    var schedule = TrackSchedule()
    private var hasRoot = false
    private var needsGap = false
    private var hasTrack = false
    private var route: [Point] = []
    private var waypoints = 0
    /// The receiver that the track or route under way names.
    private var device: String?
    private(set) var metadata: RecordingMetadata?

    init(_ source: any ByteSource, path: String) {
        reader = XMLReader(source)
        self.path = path
    }

    init(_ bytes: some Collection<UInt8>, path: String = "track.gpx") {
        reader = XMLReader(bytes)
        self.path = path
    }

    func readOn() throws(RecordingError) -> Bool {
        do throws(ReadError) {
            return try read()
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    private func read() throws(ReadError) -> Bool {
        while true {
            switch try reader.next() {
            case .finish:
                try finish()
                return false
            case .start where !hasRoot:
                guard reader.isName("gpx") else { throw reader.window.error("the root element is not gpx") }
                hasRoot = true
            case .start: if try element() { return true }
            case .end: if reader.isName("trkseg") || reader.isName("rte") { needsGap = true }
            case .text: break
            }
        }
    }

    /// Reads an element outside of points.
    ///
    /// - Returns: Whether the schedule has a point more.
    private func element() throws(ReadError) -> Bool {
        if reader.isName("trkpt") {
            guard let point = try point() else { return false }
            if !hasTrack {
                // What was read of a route is another way, and has ended.
                hasTrack = true
                needsGap = false
            }
            if needsGap { schedule.addGap() }
            needsGap = false
            schedule.add(point.location, time: point.time)
            return true
        }
        if reader.isName("rtept") {
            guard var point = try point() else { return false }
            point.startsRoute = needsGap && !route.isEmpty
            if !hasTrack { needsGap = false }
            route.append(point)
        } else if reader.isName("trk") || reader.isName("rte") {
            device = nil
        } else if reader.isName("src") {
            try reader.readText()
            device = reader.string.isEmpty ? nil : reader.string
        } else if reader.isName("metadata") {
            try readMetadata()
        } else if reader.isName("wpt") {
            waypoints += 1
            try reader.skipElement()
        }
        return false
    }

    /// A route counts only where there is no track.
    private func finish() throws(ReadError) {
        if hasTrack {
            guard !route.isEmpty else { return }
            return schedule.warnings.note(
                "\(path): the route of \(route.count) points is left out, because there is a track")
        }
        for point in route {
            if point.startsRoute { schedule.addGap() }
            schedule.add(point.location, time: point.time)
        }
        guard schedule.isEmpty, schedule.firstProblem == nil, waypoints > 0 else { return }
        let count = "\(waypoints) \(waypoints == 1 ? "waypoint" : "waypoints")"
        throw reader.window.error("it has \(count), but neither a track nor a route")
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

    /// Reads a point; `nil` for one that is skipped.
    private func point() throws(ReadError) -> Point? {
        var problem: ReadError?
        let latitude = reader.attribute("lat").flatMap(Self.number) ?? .nan
        let longitude = reader.attribute("lon").flatMap(Self.number) ?? .nan
        var point = Point(
            location: Location(latitude: latitude, longitude: longitude, timestamp: Timestamp(nanoseconds: 0)))
        point.location.extra.device = device
        if latitude.isNaN || longitude.isNaN {
            problem = reader.window.error("a point without lat and lon")
        } else if !point.location.coordinate.isValid {
            problem = reader.window.error("a point that is not on the earth")
        }
        let level = reader.depth
        while reader.depth >= level {
            guard try reader.next() == .start else { continue }
            if let reason = try member(&point) { problem = problem ?? reader.window.error(reason) }
        }
        if let problem {
            schedule.skip(problem, in: path)
            return nil
        }
        if let altitude = point.location.altitude, let separation = point.location.extra.geoidSeparation {
            point.location.ellipsoidalAltitude = altitude + separation
        }
        return point
    }

    /// Reads an element of a point; of extensions the elements inside.
    ///
    /// - Returns: What is wrong with its value.
    private func member(_ point: inout Point) throws(ReadError) -> String? {
        if reader.isName("extensions") || reader.isName("TrackPointExtension") { return nil }
        let name = reader.name
        let isTime = reader.isName("time")
        guard isTime || Self.numbers.contains(where: name.is) else {
            try reader.skipElement()
            return nil
        }
        try reader.readText()
        guard !reader.text.trimmed.isEmpty else { return nil }
        if isTime {
            point.time = RFC3339.timestamp(reader.string, zoneRequired: false)
            return point.time == nil ? "\(reader.string.prefix(60)) is no time" : nil
        }
        guard let value = reader.number else {
            return "\(reader.string.prefix(60)) is no number for \(String(decoding: name, as: UTF8.self))"
        }
        if name.is("ele") { point.location.altitude = value }
        if name.is("speed"), value >= 0 { point.location.speed = value }
        if name.is("course"), value >= 0, value <= 360 { point.location.course = value == 360 ? 0 : value }
        if name.is("geoidheight") { point.location.extra.geoidSeparation = value }
        if name.is("sat") { point.location.extra.satellites = Int(exactly: value) }
        if name.is("hdop") { point.location.extra.hdop = value }
        if name.is("vdop") { point.location.extra.vdop = value }
        if name.is("pdop") { point.location.extra.pdop = value }
        return nil
    }

    private static let numbers: [StaticString] = [
        "ele", "speed", "course", "geoidheight", "sat", "hdop", "vdop", "pdop",
    ]

    private static func number(_ bytes: [UInt8]) -> Double? {
        bytes.trimmed.withUnsafeBufferPointer { DecimalText.double($0) }
    }
}
