internal import Taffrail

/// Reads GeoJSON (RFC 7946), feature by feature: points with their properties as ``GeoJSONWriter`` writes them, and
/// lines, whose times may be in `coordTimes`. Between two lines there is no position. A line is in memory all at once.
final class GeoJSONReader: ScheduledTrackReader {
    private var reader: JSONReader
    private let path: String
    var schedule = TrackSchedule()
    private var place = Place.start
    private var hadLine = false
    let metadata: RecordingMetadata? = nil

    private enum Place { case start, members, features, end }

    init(_ source: any ByteSource, path: String) {
        reader = JSONReader(source)
        self.path = path
    }

    init(_ bytes: some Collection<UInt8>, path: String = "track.geojson") {
        reader = JSONReader(bytes)
        self.path = path
    }

    func readOn() throws(RecordingError) -> Bool {
        do throws(ReadError) {
            return try step()
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    /// Reads on by one member or feature; `false` at the end.
    private func step() throws(ReadError) -> Bool {
        switch place {
        case .start:
            try reader.skipByteOrderMark()
            guard try reader.next() == .beginObject else { throw reader.error("GeoJSON is an object") }
            place = .members
        case .members: try member()
        case .features:
            switch try reader.next() {
            case .endArray: place = .members
            case .beginObject: try feature(GeoJSONFeature(&reader))
            default: throw reader.error("a feature is an object")
            }
        case .end: return false
        }
        return true
    }

    /// What stands outside of a collection's features is a single feature, or a geometry alone.
    private var loose = GeoJSONFeature()

    private func member() throws(ReadError) {
        guard try reader.nextKey() else {
            _ = try reader.next()
            place = .end
            guard loose.isKnown else { throw reader.error("no GeoJSON that can be read") }
            return try feature(loose)
        }
        if reader.isText("features") {
            guard try reader.next() == .beginArray else { throw reader.error("features is a list") }
            loose.isKnown = true
            place = .features
        } else {
            try loose.member(&reader)
        }
    }

    private func feature(_ feature: GeoJSONFeature) throws(ReadError) {
        for (number, line) in feature.lines.enumerated() where !line.isEmpty {
            if hadLine || number > 0 { schedule.addGap() }
            for (index, location) in line.enumerated() {
                let times = number < feature.times.count ? feature.times[number] : []
                schedule.add(location, time: index < times.count ? times[index] : nil)
            }
            hadLine = true
        }
        if let point = feature.point {
            var location = feature.properties
            location.coordinate = point.coordinate
            location.ellipsoidalAltitude = point.ellipsoidalAltitude
            guard location.coordinate.isValid else { throw reader.error("a point that is not on the earth") }
            schedule.add(location, time: feature.time)
            hadLine = false
        } else if let error = feature.error {
            schedule.add(.error(error), time: feature.time)
        }
    }
}
