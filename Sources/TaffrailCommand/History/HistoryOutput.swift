#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailText
internal import TaffrailTracks

/// Points as lines.
enum HistoryLine {
    /// A line for a person: time, coordinates, accuracy, speed, device.
    static func text(_ point: TrackPoint) -> String {
        var location = point.location
        location.extra = Location.Extra()
        return "\(RFC3339.string(point.timestamp))  \(location.summary)  \(point.device)"
            + (reason(point).map { "  \($0)" } ?? "")
    }

    /// Why a point is not part of trips; `nil` for one that is.
    private static func reason(_ point: TrackPoint) -> String? {
        [(TrackPoint.Flags.jump, "jump"), (.drift, "drift"), (.inaccurate, "inaccurate")]
            .first { point.flags.contains($0.0) }?.1
    }

    /// A JSON object: the names of `TrackPoint`; what is not known is left out.
    static func json(_ point: TrackPoint) -> String {
        var text = "{\"id\":\"\(point.id)\",\"timestamp\":\"\(RFC3339.string(point.timestamp, decimals: 9))\""
        let numbers: [(String, Double?)] = [
            ("lat", point.lat), ("lon", point.lon), ("hAcc", point.hAcc), ("speed", point.speed),
            ("altitude", point.altitude), ("course", point.course), ("verticalAccuracy", point.verticalAccuracy),
            ("climb", point.climb), ("battery", point.battery),
        ]
        for (name, value) in numbers {
            if let value { text += ",\"\(name)\":\(value)" }
        }
        text += ",\"device\":\(quoted(point.device)),\"session\":\(quoted(point.session))"
        if let source = point.source { text += ",\"source\":\(quoted(source))" }
        if let offset = point.localOffset { text += ",\"localOffset\":\(offset.components.seconds)" }
        if let run = point.run { text += ",\"run\":\"\(run)\"" }
        if let sequence = point.sequence { text += ",\"seq\":\(sequence)" }
        if let seen = point.lastSeen { text += ",\"lastSeen\":\"\(RFC3339.string(seen))\"" }
        for (flag, name) in [(TrackPoint.Flags.untimed, "untimed"), (.simulated, "simulated")]
        where point.flags.contains(flag) { text += ",\"\(name)\":true" }
        if let reason = reason(point) { text += ",\"leftOut\":\"\(reason)\"" }
        return text + "}"
    }

    /// A text as JSON.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(json: text)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Points as a track file.
enum HistoryWriter {
    /// Writes points; the file gets its name only when it is complete.
    static func write(
        to path: String, _ format: TrackFormat, overwrites: Bool, _ body: ((TrackPoint) throws -> Void) throws -> Void
    ) throws {
        do {
            let writer = format.writer(try TextOutput(path: path, overwrites: overwrites))
            try writer.begin(nil, name: "history")
            var first: Timestamp?
            try body { point in
                let start = first ?? point.timestamp
                first = start
                var location = point.location
                // A track is of one device.
                location.extra.device = point.device
                try writer.append(
                    RecordedEvent(
                        timestamp: point.timestamp,
                        relativeTime: Double(point.timestamp.nanoseconds &- start.nanoseconds) / 1e9,
                        event: .location(location)))
            }
            try writer.finish()
        } catch let error as RecordingError {
            let code = TrackFile.exitCode(error)
            throw error.kind == .full || error.kind == .system ? code : .cannotCreate
        }
    }
}
#endif
