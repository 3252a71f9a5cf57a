internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads GeoJSON (RFC 7946), feature by feature: points with their properties as ``GeoJSONWriter`` writes them, and
/// lines, whose times may be in `coordTimes`. Between two lines there is no position. A line is in memory all at once. A
/// point whose position or time cannot be read is skipped, counted and described in the warnings; a file without any
/// point that can be read is an error.
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
            case .beginObject: feature(try GeoJSONFeature(&reader))
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
            return feature(loose)
        }
        if reader.isText("features") {
            guard try reader.next() == .beginArray else { throw reader.error("features is a list") }
            loose.isKnown = true
            place = .features
        } else {
            try loose.member(&reader)
        }
    }

    private func feature(_ feature: GeoJSONFeature) {
        for (number, line) in feature.lines.enumerated() where !line.isEmpty {
            let times = number < feature.times.count ? feature.times[number] : []
            var needsGap = hadLine
            for (index, position) in line.enumerated() {
                do throws(ReadError) {
                    let time = index < times.count ? try times[index].get() : nil
                    let location = try position.get()
                    if needsGap { schedule.addGap() }
                    needsGap = false
                    hadLine = true
                    schedule.add(location, time: time)
                } catch {
                    schedule.skip(error, in: path)
                }
            }
        }
        if let point = feature.point {
            do throws(ReadError) {
                let point = try point.get()
                var location = feature.properties
                location.coordinate = point.coordinate
                location.ellipsoidalAltitude = point.ellipsoidalAltitude
                schedule.add(location, time: feature.time)
                hadLine = false
            } catch {
                schedule.skip(error, in: path)
            }
        } else if let error = feature.error {
            schedule.add(.error(error), time: feature.time)
        }
    }
}
