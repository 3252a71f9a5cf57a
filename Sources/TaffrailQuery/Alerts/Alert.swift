package import Taffrail
internal import TaffrailText

/// The beginning or the end of an alert, reported by a record.
package struct Alert: Sendable, Hashable {
    /// The event name of the record.
    package static let event = "taffrail.alert"
    /// The name of its logger.
    package static let logger = "alerts"
    /// The attribute with ``id``.
    static let idKey = "taffrail.alert.id"
    /// The attribute with the kind of report, `raised` or `resolved`.
    static let stateKey = "taffrail.alert.state"

    /// The identity that the beginning and the end of an alert share.
    package var id: String
    /// Whether it is the beginning.
    package var isRaised: Bool
    /// The level of the record.
    package var level: Level
    /// The message.
    package var message: String
    /// The attributes.
    package var attributes: [LogValueEntry]

    init(id: String, isRaised: Bool, level: Level, message: String, attributes: [LogValueEntry]) {
        self.id = id
        self.isRaised = isRaised
        self.level = level
        self.message = message
        self.attributes = attributes
    }

    /// Reports an alert of a rule.
    ///
    /// - Parameters:
    ///   - raised: The alert.
    ///   - end: The time of the end; `nil`: it begins.
    ///   - count: The number of records in the window.
    init(_ rule: AlertRule, device: String, _ raised: AlertState.Raised, end: Timestamp?, count: Int) {
        var attributes = [
            LogValueEntry(Self.idKey, .string(raised.id)), LogValueEntry("taffrail.alert.name", .string(rule.name)),
            LogValueEntry(Self.stateKey, .string(end == nil ? "raised" : "resolved")),
            LogValueEntry("taffrail.alert.query", .string(rule.selection.description)),
            LogValueEntry("taffrail.alert.since", .date(raised.time)),
        ]
        if rule.isByDevice { attributes.append(LogValueEntry("taffrail.alert.device", .string(device))) }
        let ofDevice = rule.isByDevice ? " of \(device)" : ""
        let lasted = end.map { Self.text(.nanoseconds($0.nanoseconds &- raised.time.nanoseconds)) }
        let text: String
        switch rule.condition {
        case .threshold(let threshold, let window):
            attributes += [
                LogValueEntry("taffrail.alert.count", .int(Int64(count))),
                LogValueEntry("taffrail.alert.threshold", .int(Int64(threshold))),
                LogValueEntry("taffrail.alert.window", .double(window / .seconds(1))),
            ]
            let records = "\(CountText.text(count, "record"))\(ofDevice) in \(Self.text(window))"
            text = lasted.map { "resolved after \($0): \(records)" } ?? records
        case .silence(let silence):
            attributes.append(LogValueEntry("taffrail.alert.silence", .double(silence / .seconds(1))))
            text =
                lasted.map { "resolved after \($0): records\(ofDevice) again" }
                ?? "no record\(ofDevice) for \(Self.text(silence))"
        }
        self.init(
            id: raised.id, isRaised: end == nil, level: end == nil ? rule.level : .info,
            message: "\(rule.name): \(text)", attributes: attributes)
    }

    /// The record to be logged.
    package var record: LogRecord {
        LogRecord(level: level, message: message, eventName: Self.event, attributes: attributes, logger: Self.logger)
    }

    /// Returns whether a record reports this alert.
    func isReported(by record: StoredRecord) -> Bool {
        record[Self.idKey] == .string(id) && record[Self.stateKey] == .string(isRaised ? "raised" : "resolved")
    }

    /// Returns a duration in whole seconds, such as `1h30m`.
    private static func text(_ duration: Duration) -> String {
        DurationText.text(duration < .seconds(1) ? duration : .seconds(duration.components.seconds))
    }
}
