internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads KML: the points of every `gx:Track`, or of lines if there are no tracks.
///
/// A track's times precede its coordinates, or alternate with them; times are kept in memory until their coordinates
/// follow. An empty time is unknown, an empty coordinate is a missing position. There is a gap between two tracks or
/// lines. Placemarks that are points are ignored.
final class KMLReader: TextTrackReader<XMLReader> {
    /// `nil` for an empty one.
    private var times: [Result<Timestamp?, ReadError>] = []
    private var timesUsed = 0
    /// `nil` for an empty one.
    private var coordinates: [Result<Location?, ReadError>] = []
    private var coordinatesUsed = 0
    private var hasAltitudes = true
    private var needsGap = false
    private var isInTrack = false

    override func start() throws(ReadError) { try input.enterRoot("kml") }

    override func read() throws(ReadError) -> Bool {
        while true {
            if takePair() { return true }
            switch try input.next() {
            case .finish: return false
            case .start: try element()
            case .end:
                if input.isName("Track") { try endTrack() }
                if input.isName("LineString") { needsGap = true }
            case .text: break
            }
        }
    }

    private func element() throws(ReadError) {
        if input.isName("Track") {
            isInTrack = true
            hasAltitudes = true
        } else if input.isName("when") && isInTrack {
            try input.readText()
            if let time = RFC3339.timestampOrDate(input.string) {
                times.append(.success(time))
            } else if input.string.isEmpty {
                times.append(.success(nil))
            } else {
                times.append(.failure(input.error("\(input.string.prefix(60)) is not a time")))
            }
        } else if input.isName("coord") && isInTrack {
            try input.readText()
            coordinates.append(
                input.string.isEmpty ? .success(nil) : coordinate(input.string, " ", line: input.line))
        } else if input.isName("altitudeMode") {
            try input.readText()
            hasAltitudes = input.string == "absolute"
        } else if input.isName("LineString") {
            hasAltitudes = false
        } else if input.isName("coordinates") {
            try input.readText()
            line(input.text)
        } else if input.isName("Point") || input.isName("Style") || input.isName("Polygon") {
            try input.skipElement()
        }
    }

    /// Adds the coordinates of a line, which are kept in memory.
    private func line(_ text: [UInt8]) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let number = input.line - (lines.count - 1 - index)
            for part in String(decoding: line, as: UTF8.self).split(whereSeparator: { $0.isWhitespace }) {
                coordinates.append(coordinate(String(part), ",", line: number))
            }
        }
    }

    private func coordinate(_ text: String, _ separator: Character, line: Int) -> Result<Location?, ReadError> {
        func problem(_ reason: String) -> Result<Location?, ReadError> {
            .failure(ReadError(offset: input.offset, line: line, reason: reason))
        }
        let numbers = text.split(separator: separator).map { DecimalText.double($0) }
        guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else {
            return problem("\(text.prefix(60)) is not a coordinate")
        }
        var location = Location(latitude: latitude, longitude: longitude, timestamp: Timestamp(nanoseconds: 0))
        guard location.coordinate.isValid else { return problem("a point with invalid coordinates") }
        if numbers.count > 2 { location.altitude = numbers[2] }
        return .success(location)
    }

    /// Combines a coordinate with its time once both have been read; on a line the coordinate alone.
    private func takePair() -> Bool {
        guard coordinatesUsed < coordinates.count, !isInTrack || timesUsed < times.count else { return false }
        let coordinate = coordinates[coordinatesUsed]
        coordinatesUsed += 1
        let given = isInTrack ? times[timesUsed] : .success(nil)
        if isInTrack { timesUsed += 1 }
        compact()
        let time: Timestamp?
        let found: Location?
        do throws(ReadError) {
            time = try given.get()
            found = try coordinate.get()
        } catch {
            skip(error)
            return true
        }
        guard var location = found else { return true }
        if !hasAltitudes { location.altitude = nil }
        if needsGap { schedule.addGap() }
        needsGap = false
        schedule.add(location, time: time)
        return true
    }

    /// Frees used entries when there are many.
    private func compact() {
        if coordinatesUsed == coordinates.count {
            coordinates.removeAll(keepingCapacity: true)
            coordinatesUsed = 0
        }
        if timesUsed > 4_096 && timesUsed * 2 > times.count {
            times.removeSubrange(..<timesUsed)
            timesUsed = 0
        }
    }

    private func endTrack() throws(ReadError) {
        // Coordinates without any times form a track without times.
        if times.isEmpty && !coordinates.isEmpty {
            isInTrack = false
            while takePair() {}
        }
        guard timesUsed == times.count, coordinates.isEmpty else {
            throw input.error("a track with \(times.count) times but a different number of coordinates")
        }
        times.removeAll(keepingCapacity: true)
        timesUsed = 0
        isInTrack = false
        needsGap = true
    }
}
