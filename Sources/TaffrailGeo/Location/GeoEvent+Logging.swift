public import Taffrail

extension GeoEvent {
    /// Logs the event as the record that ``record(received:)`` describes. A log record is logged again at
    /// the present time, with its trace, source location and logger's name and without ambient attributes; its event
    /// name becomes the attribute `taffrail.replay.event`, unless it is a ``MotionReading``.
    ///
    /// - Parameters:
    ///   - pipeline: The destination. Any thread may call.
    ///   - isReplayed: Whether the event happened elsewhere or earlier; it then gets no ambient attributes. Default
    ///     `false`.
    public func log(into pipeline: Pipeline, isReplayed: Bool = false) {
        switch self {
        case .location(let location):
            pipeline.logger(Self.logger).log(
                level: .info, event: "geo.location", ambient: !isReplayed, LogMessage(utf8: location.summaryBytes),
                location.logAttributes)
        case .error(let error):
            pipeline.logger(Self.logger).log(
                level: .warning, event: "geo.error", ambient: !isReplayed, LogMessage(error.description),
                LogAttributes(error.attributes.map { (key: $0.key, value: $0.value) }))
        case .log(let record):
            if let reading = MotionReading(record) { return pipeline.log(received: reading.record()) }
            var repeated = record
            repeated.timestamp = .now
            (repeated.run, repeated.sequence, repeated.eventName) = (.none, 0, nil)
            if let event = record.eventName {
                repeated.attributes.append(LogValueEntry("taffrail.replay.event", .string(event)))
            }
            pipeline.log(received: repeated)
        }
    }
}
