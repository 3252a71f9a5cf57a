package import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A record with the time, the run and the number that it had where it was logged, which may be another program.
package struct OriginRecord: LiveRecord {
    /// When it was logged, where that happened.
    private var time: Timestamp
    /// When it came here.
    private let arrival: Timestamp
    package let level: Level
    private let message: String
    private let event: String?
    package let logger: String
    package private(set) var device = ""
    private var attributes: [LogValueEntry]
    private let source: LogRecord.SourceLocation?
    private let trace: TraceContext?
    private var run: String
    private var sequence: UInt64?

    /// OpenTelemetry's name of the device that a record is about.
    private static let deviceID = "device.id"

    /// Takes the origin of a record out of its attributes.
    package init(_ record: LogRecord) {
        time = record.timestamp
        arrival = record.timestamp
        level = record.level
        message = record.message
        event = record.eventName
        logger = record.logger
        attributes = record.attributes
        source = record.source
        trace = record.trace
        run = record.run == .none ? "" : "\(record.run)"
        sequence = record.sequence == 0 ? nil : record.sequence
        for key in [Self.deviceID, OriginAttributes.device] {
            if case .string(let name)? = record[key], !name.isEmpty { device = name }
        }
        let (originRun, number) = (text(OriginAttributes.run), count(OriginAttributes.sequence))
        if let originRun, !originRun.isEmpty, let number { (run, sequence) = (originRun, number) }
        let isIdentified = run == originRun
        let (device, origin) = (device, Self.time(record[OriginAttributes.time]))
        if let origin { time = origin }
        attributes.removeAll { entry in
            switch entry.key {
            case Self.deviceID, OriginAttributes.device: !device.isEmpty && entry.value == .string(device)
            case OriginAttributes.run, OriginAttributes.sequence: isIdentified
            case OriginAttributes.time: origin != nil
            default: false
            }
        }
    }

    private subscript(key: String) -> LogValue? { attributes.first { $0.key == key }?.value }

    private func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    private func count(_ key: String) -> UInt64? {
        switch self[key] {
        case .int(let number)?: UInt64(bitPattern: number)
        case .string(let text)?: UInt64(text)
        default: nil
        }
    }

    private func degrees(_ key: String) -> Double? {
        switch self[key] {
        case .double(let number)?: number
        case .int(let number)?: Double(number)
        default: nil
        }
    }

    private static func time(_ value: LogValue?) -> Timestamp? {
        switch value {
        case .date(let time)?: time
        case .int(let nanoseconds)?: Timestamp(nanoseconds: nanoseconds)
        case .string(let text)?: RFC3339.timestamp(text)
        default: nil
        }
    }

    /// Where it was logged, if that is known.
    private var coordinate: Coordinate? {
        guard let latitude = degrees(GeoAttributes.latitude), let longitude = degrees(GeoAttributes.longitude) else {
            return nil
        }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? coordinate : nil
    }

    /// The keys of JSON lines, and `id`, which is empty for a record that is in no store, `arrival`, `device`, `lat` and
    /// `lon`; what is unknown is omitted.
    package var json: [UInt8] {
        var text = Array("{\"id\":\"\"".utf8)
        text.reserveCapacity(400)
        func add(_ key: StaticString, _ value: LogValue) {
            text.append(",\"")
            text.append(key)
            text.append("\":")
            text.append(json: value)
        }
        func add(_ key: StaticString, _ time: Timestamp) { add(key, .string(RFC3339.string(time, decimals: 9))) }
        add("time", time)
        if arrival != time { add("arrival", arrival) }
        add("level", .string(level.name))
        add("message", .string(message))
        if !logger.isEmpty { add("logger", .string(logger)) }
        if let event { add("event", .string(event)) }
        if !device.isEmpty { add("device", .string(device)) }
        if !attributes.isEmpty { add("attributes", .map(attributes)) }
        if let trace {
            add("trace_id", .string(trace.traceID.description))
            add("span_id", .string(trace.spanID.description))
        }
        if let source {
            add("file", .string(source.file))
            add("line", .int(Int64(source.line)))
            add("function", .string(source.function))
        }
        if let coordinate {
            add("lat", .double(coordinate.latitude))
            add("lon", .double(coordinate.longitude))
        }
        if !run.isEmpty { add("run", .string(run)) }
        // Numbers above 2⁵³ are no integers in JavaScript.
        if let sequence { add("seq", sequence <= 1 << 53 ? .int(Int64(sequence)) : .string("\(sequence)")) }
        text.append("}")
        return text
    }
}
