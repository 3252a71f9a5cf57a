public import Taffrail

extension GeoEvent {
    /// Returns the event as a record: a position with event name `geo.location` at level info, an error with
    /// `geo.error` at level warning, a log record unchanged.
    ///
    /// - Parameter received: The time of receipt; the fix's own time is among the attributes.
    public func record(received: Timestamp = .now) -> LogRecord {
        switch self {
        case .location(let location):
            LogRecord(
                timestamp: received, level: .info, message: location.summary, eventName: GeoAttributes.locationEvent,
                attributes: location.attributes, logger: Self.logger)
        case .error(let error):
            LogRecord(
                timestamp: received, level: .warning, message: error.description, eventName: GeoAttributes.errorEvent,
                attributes: error.attributes, logger: Self.logger)
        case .log(let record): record
        }
    }

    /// The name of the logger of positions and errors, so that levels can be set for them.
    public static let logger = "geo"

    /// Creates an event from a record. A `geo.location` record without a valid position, like any other record, is a
    /// log record.
    public init(_ record: LogRecord) {
        switch record.eventName {
        case GeoAttributes.locationEvent:
            self =
                Location(attributes: record.attributes, received: record.timestamp).map { .location($0) }
                ?? .log(record)
        case GeoAttributes.errorEvent:
            guard case .string(let domain)? = record[GeoAttributes.errorDomain],
                case .int(let code)? = record[GeoAttributes.errorCode]
            else {
                self = .log(record)
                return
            }
            var error = GeoError(domain: domain, code: Int(code), description: record.message)
            if case .string(let device)? = record[LocationField.device.attribute] { error.device = device }
            error.hasNoTime = record[LocationField.hasNoTime.attribute] == .bool(true)
            self = .error(error)
        default: self = .log(record)
        }
    }
}

extension GeoError {
    /// The error as attributes, in a fixed order; the text is the record's message.
    var attributes: [LogValueEntry] {
        var entries = [
            LogValueEntry(GeoAttributes.errorDomain, .string(domain)),
            LogValueEntry(GeoAttributes.errorCode, .int(Int64(code))),
        ]
        if let device { entries.append(LogValueEntry(LocationField.device.attribute, .string(device))) }
        if hasNoTime { entries.append(LogValueEntry(LocationField.hasNoTime.attribute, true)) }
        return entries
    }
}

extension GeoEvent {
    /// The position or the error in a record.
    ///
    /// - Returns: `nil` for a log record.
    package init?(place view: borrowing RecordView) {
        switch view.eventName {
        case GeoAttributes.locationEvent:
            guard let location = Location(view) else { return nil }
            self = .location(location)
        case GeoAttributes.errorEvent:
            self.init(LogRecord(view))
            if error == nil { return nil }
        default: return nil
        }
    }
}
