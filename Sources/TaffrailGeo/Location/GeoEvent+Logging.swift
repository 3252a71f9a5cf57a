public import Taffrail

extension GeoEvent {
    /// Logs the event as the record that ``record(received:)`` describes. A log record is logged anew by the logger of its
    /// name; the kind of event that it stood for becomes the attribute `taffrail.replay.event`.
    ///
    /// - Parameter pipeline: Where to. Any thread.
    public func log(into pipeline: Pipeline) {
        switch self {
        case .location(let location):
            pipeline.logger(Self.logger).log(
                level: .info, event: "geo.location", LogMessage(utf8: location.summaryBytes), location.logAttributes,
                file: "", function: "", line: 0)
        case .error(let error):
            pipeline.logger(Self.logger).log(
                level: .warning, event: "geo.error", error.description,
                [
                    "taffrail.geo.error.domain": .string(error.domain),
                    "taffrail.geo.error.code": .int(Int64(error.code)),
                ], file: "", function: "", line: 0)
        case .log(let record):
            var attributes = record.attributes
            if let event = record.eventName {
                attributes.append(LogValueEntry("taffrail.replay.event", .string(event)))
            }
            pipeline.logger(record.logger).log(
                level: record.level, record.message, LogAttributes(attributes.pairs), file: "", function: "", line: 0)
        }
    }
}

extension [LogValueEntry] {
    /// The entries as pairs, without a copy.
    fileprivate var pairs: LazyMapSequence<[LogValueEntry], (key: String, value: LogValue)> {
        lazy.map { (key: $0.key, value: $0.value) }
    }
}
