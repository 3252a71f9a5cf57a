package import Taffrail

extension JSONObject {
    /// Adds the values of a record with the keys of JSON lines, except for its time, run and number. Those that it does
    /// not have are omitted.
    ///
    /// - Parameter device: The device that logged it; omitted if empty.
    package mutating func add(_ record: LogRecord, device: String = "") {
        add("level", record.level.name)
        add("message", record.message)
        if !record.logger.isEmpty { add("logger", record.logger) }
        add("event", known: record.eventName)
        if !device.isEmpty { add("device", device) }
        if !record.attributes.isEmpty { add("attributes", value: .map(record.attributes)) }
        if let trace = record.trace {
            add("trace_id", trace.traceID.description)
            add("span_id", trace.spanID.description)
            if !trace.flags.isEmpty { add("trace_flags", HexText.string(trace.flags.rawValue, width: 2)) }
        }
        if let source = record.source {
            add("file", source.file)
            add("line", whole: source.line)
            add("function", source.function)
        }
    }

    /// Adds the run of a record and its number within the run with the keys of JSON lines.
    ///
    /// - Parameters:
    ///   - run: Omitted if empty.
    ///   - limit: A greater number becomes a string, for readers whose numbers are not exact beyond it.
    package mutating func add(run: String, sequence: UInt64?, exactUpTo limit: UInt64 = .max) {
        if !run.isEmpty { add("run", run) }
        guard let sequence else { return }
        if sequence <= limit { add("seq", whole: sequence) } else { add("seq", "\(sequence)") }
    }
}
