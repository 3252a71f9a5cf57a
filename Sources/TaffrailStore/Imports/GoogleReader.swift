#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads the exports of Google's Timeline as a stream: `Records.json` (`locations`); `Timeline.json` of Android
/// (`semanticSegments` and `rawSignals`) and of iOS (a list of segments).
///
/// A visit of a segment becomes two positions at its place, at its start and its end; an activity becomes the positions
/// of its start and its end.
final class GoogleReader: ImportReader {
    private enum Part { case start, root, locations, segments, signals, end }

    private var input: JSONReader
    private let path: String
    private var part = Part.start
    /// Whether the segments are the whole document.
    private var isBare = false
    private var found: ArraySlice<ImportedPoint> = []
    private(set) var skipped = 0

    init(_ source: any ByteSource, path: String) {
        input = JSONReader(source, maximum: 16 << 20)
        self.path = path
    }

    func next() throws(RecordingError) -> ImportedPoint? {
        do throws(ReadError) {
            while found.isEmpty {
                if part == .end { return nil }
                try read()
            }
        } catch {
            throw RecordingError(error, path: path)
        }
        return found.popFirst()
    }

    private func read() throws(ReadError) {
        switch part {
        case .start:
            try input.skipByteOrderMark()
            switch try input.next() {
            case .beginObject: part = .root
            case .beginArray: (part, isBare) = (.segments, true)
            default: throw input.error("a timeline must be an object or a list")
            }
        case .root: try member()
        case .locations, .segments, .signals:
            switch try input.next() {
            case .endArray:
                if isBare { _ = try input.next() }
                part = isBare ? .end : .root
            case .beginObject: try element()
            case let token: try input.skip(token)
            }
        case .end: break
        }
    }

    private func member() throws(ReadError) {
        guard try input.nextKey() else {
            _ = try input.next()
            return part = .end
        }
        let next: Part? =
            input.isText("locations")
            ? .locations : input.isText("semanticSegments") ? .segments : input.isText("rawSignals") ? .signals : nil
        let token = try input.next()
        guard let next, token == .beginArray else { return try input.skip(token) }
        part = next
    }

    private func element() throws(ReadError) {
        let value = try input.value(.beginObject)
        switch part {
        case .locations: add(record(value))
        case .signals:
            guard let position = value["position"] else { return }
            add(signal(position))
        default: segment(value)
        }
    }

    private func add(_ point: ImportedPoint?) {
        guard let point, point.location.coordinate.isValid else { return skipped += 1 }
        found.append(point)
    }

    // MARK: Elements

    private func record(_ value: LogValue) -> ImportedPoint? {
        guard let lat = value["latitudeE7"]?.number, let lon = value["longitudeE7"]?.number,
            let time = value["timestamp"]?.time ?? value["timestampMs"]?.milliseconds
        else { return nil }
        // Some exports contain coordinates that are too large by 2^32.
        func degrees(_ value: Double, _ limit: Double) -> Double {
            (value > limit ? value - 4_294_967_296 : value) / 1e7
        }
        var location = Location(latitude: degrees(lat, 9e8), longitude: degrees(lon, 1.8e9), timestamp: time.time)
        location.horizontalAccuracy = value["accuracy"]?.number
        location.altitude = value["altitude"]?.number
        location.verticalAccuracy = value["verticalAccuracy"]?.number
        location.speed = value["velocity"]?.number
        location.course = value["heading"]?.number
        location.extra.device = value["source"]?.name
        var point = ImportedPoint(location: location, received: time.time)
        point.device = value["deviceTag"]?.number.flatMap { Int64(exactly: $0) }.map { "google \($0)" }
        return point
    }

    private func signal(_ value: LogValue) -> ImportedPoint? {
        guard let place = (value["LatLng"] ?? value["latLng"])?.coordinate, let time = value["timestamp"]?.time else {
            return nil
        }
        var point = Self.point(place, time)
        point.location.horizontalAccuracy = value["accuracyMeters"]?.number
        point.location.altitude = value["altitudeMeters"]?.number
        point.location.speed = value["speedMetersPerSecond"]?.number
        point.location.extra.device = value["source"]?.name
        return point
    }

    private func segment(_ value: LogValue) {
        guard let start = value["startTime"]?.time else { return skipped += 1 }
        let end = value["endTime"]?.time
        for step in value["timelinePath"]?.elements ?? [] {
            var time = step["time"]?.time
            if let minutes = step["durationMinutesOffsetFromStartTime"]?.anyNumber, abs(minutes) < 1e7 {
                time = start.later(by: .nanoseconds(Int64(minutes * 60e9)))
            }
            add(time.flatMap { time in step["point"]?.coordinate.map { Self.point($0, time) } })
        }
        var ends: [(LogValue?, GoogleTime?)] = []
        if let visit = value["visit"], (visit["hierarchyLevel"]?.anyNumber ?? 0) == 0 {
            let place = visit["topCandidate"]?["placeLocation"]
            ends = [(place, start), (place, end)]
        } else if let activity = value["activity"] {
            ends = [(activity["start"], start), (activity["end"], end)]
        }
        for (place, time) in ends {
            guard let coordinate = place?.coordinate ?? place?["latLng"]?.coordinate, let time else { continue }
            add(Self.point(coordinate, time))
        }
    }

    private static func point(_ place: Coordinate, _ time: GoogleTime) -> ImportedPoint {
        let location = Location(latitude: place.latitude, longitude: place.longitude, timestamp: time.time)
        return ImportedPoint(location: location, received: time.time, localOffset: time.offset)
    }
}
#endif
