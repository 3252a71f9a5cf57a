internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Decodes the events of a recording.
enum RecordingDecoder {
    /// The members of an event, before its type determines which of them apply.
    private struct Draft {
        var type: String?
        var timestamp: Timestamp?
        var relativeTime: Double?
        var timeRange: Range<Int>?
        var code: Int?
        var domain: String?
        var description: String?
        var device: String?
        var hasNoTime = false
        var location = Location(latitude: .nan, longitude: .nan, timestamp: Timestamp(nanoseconds: 0))
        var hasFixTime = false
        var isInvalid = false
        var record = LogRecord(timestamp: Timestamp(nanoseconds: 0), level: .info, message: "")
    }

    /// An event as stored in a file.
    struct Event {
        var timestamp: Timestamp?
        /// Seconds since the start, as stored; `nil` when missing, null or negative.
        var writtenTime: Double?
        /// The range of the stored value in the event's JSON, even if it is null or negative.
        var timeRange: Range<Int>?
        /// Seconds since the start, once known (``EventTimes``).
        var relativeTime = 0.0
        /// `nil` for an unknown type.
        var event: GeoEvent?

        /// The event for users of a reader, if its type is known.
        var recorded: RecordedEvent? {
            guard let event, let timestamp else { return nil }
            return RecordedEvent(timestamp: timestamp, relativeTime: relativeTime, event: event)
        }
    }

    /// Decodes the rest of an object whose opening brace is the reader's current token.
    static func event(_ reader: inout JSONReader) throws(ReadError) -> Event {
        var draft = Draft()
        while try reader.nextKey() {
            if reader.isText("type") {
                draft.type = try reader.optionalText()
            } else if reader.isText("timestamp") {
                draft.timestamp = try time(&reader)
            } else if reader.isText("relativeTime") {
                draft.relativeTime = try size(&reader)
                draft.timeRange = reader.tokenOffset..<reader.window.streamOffset
            } else if reader.isText("data") {
                try data(&reader, &draft)
            } else if reader.isText("code") {
                draft.code = try reader.optionalNumber().flatMap { Int(exactly: $0) }
            } else if reader.isText("domain") {
                draft.domain = try reader.optionalText()
            } else if reader.isText("description") {
                draft.description = try reader.optionalText()
            } else if reader.isText("device") {
                draft.device = try reader.optionalText()
            } else if reader.isText("hasNoTime") {
                draft.hasNoTime = try reader.optionalBool() ?? false
            } else {
                try reader.skipValue()
            }
        }
        guard let type = draft.type else { throw reader.error("an event without a type") }
        var event = Event(
            timestamp: draft.timestamp, writtenTime: draft.relativeTime, timeRange: draft.timeRange)
        switch type {
        case "location": event.event = location(&draft)
        case "error":
            var error = GeoError(
                domain: draft.domain ?? GeoError.coreLocationDomain, code: draft.code ?? 0,
                description: draft.description ?? "", device: draft.device)
            error.hasNoTime = draft.hasNoTime
            event.event = .error(error)
        case "log":
            draft.record.timestamp = draft.timestamp ?? draft.record.timestamp
            event.event = .log(draft.record)
        default: break
        }
        if event.timestamp == nil && draft.hasFixTime { event.timestamp = draft.location.timestamp }
        return event
    }

    /// Returns a location, or the error for an unknown position if it is invalid in CoreLocation's terms.
    private static func location(_ draft: inout Draft) -> GeoEvent {
        guard !draft.isInvalid, draft.location.coordinate.isValid else {
            return .error(.locationUnknown("invalid position", device: draft.location.extra.device))
        }
        if !draft.hasFixTime { draft.location.timestamp = draft.timestamp ?? draft.location.timestamp }
        return .location(draft.location)
    }

    private static func time(_ reader: inout JSONReader) throws(ReadError) -> Timestamp? {
        switch try reader.next() {
        case .null: return nil
        case .string:
            if !reader.hasEscapes, let time = RFC3339.timestamp(reader.textBytes) { return time }
            throw reader.error("no RFC 3339 time")
        default: throw reader.error("expected a time in quotes")
        }
    }

    /// Returns a number that is 0 or more; null and negative numbers count as missing.
    private static func size(_ reader: inout JSONReader) throws(ReadError) -> Double? {
        try reader.optionalNumber().flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func data(_ reader: inout JSONReader, _ draft: inout Draft) throws(ReadError) {
        guard try reader.enterObject() else { return }
        var expected = LocationField.altitude.rawValue
        while try reader.nextKey() {
            if reader.isText("coordinate") {
                try coordinate(&reader, &draft.location.coordinate)
            } else if reader.isText("timestamp") {
                guard let time = try time(&reader) else { continue }
                draft.location.timestamp = time
                draft.hasFixTime = true
            } else if reader.isText("sourceInformation") {
                try source(&reader, &draft.location)
            } else if reader.isText("extra") {
                try extra(&reader, &draft.location)
            } else if let field = reader.field(expected: &expected), [.motion, .ellipsoid].contains(field.part) {
                let number = try reader.optionalNumber()
                if field == .horizontalAccuracy, let number, number < 0 {
                    draft.isInvalid = true
                } else {
                    draft.location.set(field, number: number)
                }
            } else if try !LogDecoder.member(&reader, &draft.record) {
                try reader.skipValue()
            }
        }
    }

    private static func coordinate(_ reader: inout JSONReader, _ coordinate: inout Coordinate) throws(ReadError) {
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("latitude") {
                coordinate.latitude = try reader.optionalNumber() ?? .nan
            } else if reader.isText("longitude") {
                coordinate.longitude = try reader.optionalNumber() ?? .nan
            } else {
                try reader.skipValue()
            }
        }
    }

    private static func source(_ reader: inout JSONReader, _ location: inout Location) throws(ReadError) {
        guard try reader.enterObject() else { return }
        location.sourceInformation = Location.SourceInformation()
        var expected = LocationField.isSimulatedBySoftware.rawValue
        while try reader.nextKey() {
            if let field = reader.field(expected: &expected), field.part == .source {
                location.set(field, .bool(try reader.optionalBool() ?? false))
            } else {
                try reader.skipValue()
            }
        }
    }

    private static func extra(_ reader: inout JSONReader, _ location: inout Location) throws(ReadError) {
        guard try reader.enterObject() else { return }
        var expected = LocationField.climb.rawValue
        while try reader.nextKey() {
            if reader.isText("device") {
                location.extra.device = try reader.optionalText()
            } else if let field = reader.field(expected: &expected), field.part == .receiver {
                location.set(field, number: try reader.optionalNumber())
            } else if reader.isText("hasNoTime") {
                location.extra.hasNoTime = try reader.optionalBool()
            } else {
                try reader.skipValue()
            }
        }
    }
}
