internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads GPX 1.0 and 1.1: the points of tracks or, in a file without tracks, of routes, which are kept in memory until
/// the end of the file.
///
/// There is a gap between two segments. Speed and course are read from GPX 1.0's elements, and from extensions with
/// these names, such as Garmin's TrackPointExtension v2. A file with only waypoints is an error.
final class GPXReader: TextTrackReader<XMLReader> {
    private struct Point {
        var location: Location
        var time: Timestamp?
        var startsRoute = false
    }

    private var needsGap = false
    private var hasTrack = false
    private var route: [Point] = []
    private var waypoints = 0
    /// The receiver of the current track or route.
    private var device: String?

    override func start() throws(ReadError) { try input.enterRoot("gpx") }

    override func read() throws(ReadError) -> Bool {
        while true {
            switch try input.next() {
            case .finish:
                try finish()
                return false
            case .start: if try element() { return true }
            case .end: if input.isName("trkseg") || input.isName("rte") { needsGap = true }
            case .text: break
            }
        }
    }

    /// Reads an element outside of points.
    ///
    /// - Returns: Whether a point was added to the schedule.
    private func element() throws(ReadError) -> Bool {
        if input.isName("trkpt") {
            guard let point = try point() else { return false }
            if !hasTrack {
                // The route read so far is separate, and has ended.
                hasTrack = true
                needsGap = false
            }
            if needsGap { schedule.addGap() }
            needsGap = false
            schedule.add(point.location, time: point.time)
            return true
        }
        if input.isName("rtept") {
            guard var point = try point() else { return false }
            point.startsRoute = needsGap && !route.isEmpty
            if !hasTrack { needsGap = false }
            route.append(point)
        } else if input.isName("trk") || input.isName("rte") {
            device = nil
        } else if input.isName("src") {
            try input.readText()
            device = input.string.isEmpty ? nil : input.string
        } else if input.isName("metadata") {
            try readMetadata()
        } else if input.isName("wpt") {
            waypoints += 1
            try input.skipElement()
        }
        return false
    }

    /// Routes are used only in files without tracks.
    private func finish() throws(ReadError) {
        if hasTrack {
            guard !route.isEmpty else { return }
            return schedule.warnings.note(
                "\(path): the route of \(route.count) points is ignored because there is a track")
        }
        for point in route {
            if point.startsRoute { schedule.addGap() }
            schedule.add(point.location, time: point.time)
        }
        guard schedule.isEmpty, schedule.firstProblem == nil, waypoints > 0 else { return }
        throw input.error("it has \(CountText.text(waypoints, "waypoint")), but neither a track nor a route")
    }

    private func readMetadata() throws(ReadError) {
        let level = input.depth
        while input.depth >= level {
            guard try input.next() == .start else { continue }
            if input.isName("time") && input.depth == level + 1 {
                try input.readText()
                metadata = RFC3339.timestamp(input.string, zoneRequired: false).map {
                    RecordingMetadata(recordedAt: $0)
                }
            } else {
                try input.skipElement()
            }
        }
    }

    /// Reads a point; `nil` for a skipped one.
    private func point() throws(ReadError) -> Point? {
        var problem: ReadError?
        let latitude = input.attribute("lat").flatMap(Self.number) ?? .nan
        let longitude = input.attribute("lon").flatMap(Self.number) ?? .nan
        var point = Point(
            location: Location(latitude: latitude, longitude: longitude, timestamp: Timestamp(nanoseconds: 0)))
        point.location.extra.device = device
        if latitude.isNaN || longitude.isNaN {
            problem = input.error("a point without lat and lon")
        } else if !point.location.coordinate.isValid {
            problem = input.error("a point with invalid coordinates")
        }
        let level = input.depth
        while input.depth >= level {
            guard try input.next() == .start else { continue }
            if let reason = try member(&point) { problem = problem ?? input.error(reason) }
        }
        if let problem {
            skip(problem)
            return nil
        }
        if let altitude = point.location.altitude, let separation = point.location.extra.geoidSeparation {
            point.location.ellipsoidalAltitude = altitude + separation
        }
        return point
    }

    /// Reads an element of a point; for extensions, the elements inside.
    ///
    /// - Returns: The problem with its value, if any.
    private func member(_ point: inout Point) throws(ReadError) -> String? {
        if input.isName("extensions") || input.isName("TrackPointExtension") { return nil }
        let name = input.name
        let isTime = input.isName("time")
        let field = Self.fields.first { name.is($0.name) }?.field
        guard isTime || field != nil else {
            try input.skipElement()
            return nil
        }
        try input.readText()
        guard !input.text.trimmed.isEmpty else { return nil }
        if isTime {
            point.time = RFC3339.timestamp(input.string, zoneRequired: false)
            return point.time == nil ? "\(input.string.prefix(60)) is not a time" : nil
        }
        guard let value = input.number else {
            return "\(input.string.prefix(60)) is not a number for \(String(decoding: name, as: UTF8.self))"
        }
        switch field {
        case .speed where value < 0: break
        case .course: point.location.course = Location.course(value) ?? point.location.course
        case let field?: point.location.set(field, .double(value))
        case nil: break
        }
        return nil
    }

    private static let fields: [(name: StaticString, field: LocationField)] = [
        ("ele", .altitude), ("speed", .speed), ("course", .course), ("geoidheight", .geoidSeparation),
        ("sat", .satellites), ("hdop", .hdop), ("vdop", .vdop), ("pdop", .pdop),
    ]

    private static func number(_ bytes: [UInt8]) -> Double? {
        bytes.trimmed.withUnsafeBufferPointer { DecimalText.double($0) }
    }
}
