internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText

/// Reads GeoJSON (RFC 7946), feature by feature: points with properties as written by ``GeoJSONWriter``, and lines,
/// whose times may be in `coordTimes`. There is a gap between two lines. A line is kept in memory.
final class GeoJSONReader: TextTrackReader<JSONReader> {
    private var state = State.members
    private var hadLine = false

    private enum State { case members, features, end }

    override func start() throws(ReadError) {
        try input.skipByteOrderMark()
        guard try input.next() == .beginObject else { throw input.error("expected GeoJSON as an object") }
    }

    /// Reads one member or feature.
    override func read() throws(ReadError) -> Bool {
        switch state {
        case .members: try member()
        case .features:
            switch try input.next() {
            case .endArray: state = .members
            case .beginObject: feature(try GeoJSONFeature(&input))
            default: throw input.error("expected a feature as an object")
            }
        case .end: return false
        }
        return true
    }

    /// Outside of a collection there is a single feature or geometry.
    private var loose = GeoJSONFeature()

    private func member() throws(ReadError) {
        guard try input.nextKey() else {
            _ = try input.next()
            state = .end
            guard loose.isKnown else { throw input.error("the document contains no readable GeoJSON") }
            return feature(loose)
        }
        if input.isText("features") {
            guard try input.next() == .beginArray else { throw input.error("expected features as a list") }
            loose.isKnown = true
            state = .features
        } else {
            try loose.member(&input)
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
                    skip(error)
                }
            }
        }
        if let point = feature.point {
            do throws(ReadError) {
                let time = try feature.time.get()
                let point = try point.get()
                var location = feature.properties
                location.coordinate = point.coordinate
                location.ellipsoidalAltitude = point.ellipsoidalAltitude
                schedule.add(location, time: time)
                hadLine = false
            } catch {
                skip(error)
            }
        } else if let error = feature.error {
            do throws(ReadError) {
                let time = try feature.time.get()
                schedule.add(.error(error), time: time)
            } catch {
                skip(error)
            }
        }
    }
}
