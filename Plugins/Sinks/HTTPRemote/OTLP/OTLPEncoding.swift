#if HTTP
internal import Taffrail
internal import TaffrailDelivery

/// OTLP logs as protobuf.
///
/// Requests are encoded directly from the bytes of the queue, without a message object for each attribute; a test
/// compares each byte with the output of swift-protobuf for the same records.
struct OTLPEncoding: BatchEncoding {
    var contentType: String { "application/x-protobuf" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        // Names and types of fields take about as many bytes as the records themselves.
        var writer = ProtobufWriter(capacity: batch.bytes.count * 2 + 4096)
        let logs = writer.begin(1, lengthSize: 4)
        writer.add(1, lengthSize: 2) { writer in
            for attribute in resource.all(of: batch.run) {
                writer.add(1, lengthSize: 2) { pair in
                    if !attribute.name.isEmpty { pair.add(1, string: attribute.name) }
                    pair.add(2, lengthSize: 2) { $0.add(1, string: attribute.value) }
                }
            }
        }
        let run = Self.pair("taffrail.run", "\(batch.run)")
        var scope: Int?
        var logger: [UInt8] = []
        _ = batch.withRecords { batch in
            batch.forEach { view in
                let name = view.bytes.logger
                if scope == nil || !logger.elementsEqual(name) {
                    if let scope { writer.end(scope, lengthSize: 4) }
                    logger = Array(name)
                    scope = writer.begin(2, lengthSize: 4)
                    writer.add(1) { if !name.isEmpty { $0.add(1, utf8: name) } }
                }
                let record = writer.begin(2, lengthSize: 2)
                Self.add(view, of: run, to: &writer)
                writer.end(record, lengthSize: 2)
            }
        }
        if let scope { writer.end(scope, lengthSize: 4) }
        writer.end(logs, lengthSize: 4)
        return writer.bytes
    }

    /// Returns the field of an attribute that is the same for all records of a run.
    private static func pair(_ key: StaticString, _ value: String) -> [UInt8] {
        var writer = ProtobufWriter(capacity: 64)
        writer.add(6) { pair in
            pair.add(1, literal: key)
            pair.add(2) { $0.add(1, string: value) }
        }
        return writer.bytes
    }

    private static func add(_ view: borrowing RecordView, of run: [UInt8], to writer: inout ProtobufWriter) {
        let (level, time) = (view.level, UInt64(max(0, view.timestamp.nanoseconds)))
        let parts = view.bytes
        if time > 0 { writer.add(1, fixed64: time) }
        writer.add(2, varint: UInt64(level.openTelemetrySeverity))
        writer.add(3, string: level.name)
        writer.add(5, lengthSize: parts.message.count < 126 ? 1 : 2) { $0.add(1, utf8: parts.message) }
        addAttributes(of: view, parts, run, to: &writer)
        let trace = view.trace
        if let trace, trace.flags.rawValue != 0 { writer.add(8, fixed32: UInt32(trace.flags.rawValue)) }
        if let trace {
            let id = (trace.traceID.high.bigEndian, trace.traceID.low.bigEndian)
            withUnsafeBytes(of: id) { writer.add(9, bytes: $0) }
            withUnsafeBytes(of: trace.spanID.value.bigEndian) { writer.add(10, bytes: $0) }
        }
        if time > 0 { writer.add(11, fixed64: time) }
        if !parts.event.isEmpty { writer.add(12, utf8: parts.event) }
    }

    /// Adds the attributes that ``RecordAttributes`` lists, in the same order.
    private static func addAttributes(
        of view: borrowing RecordView, _ parts: RecordView.Bytes, _ run: [UInt8], to writer: inout ProtobufWriter
    ) {
        var own: OwnFields = []
        view.forEachDistinctAttribute { attribute in
            let key = attribute.key
            let field = OwnFields(key)
            own.formUnion(field)
            // These two identify the record.
            if field == .identity { return }
            let text = attribute.text
            let length = 4 + key.count + (text?.count ?? 0)
            writer.add(6, lengthSize: length < 120 ? 1 : 2) { pair in
                if !key.isEmpty { pair.add(1, utf8: key) }
                if let text {
                    pair.add(2, lengthSize: text.count < 126 ? 1 : 2) { $0.add(1, utf8: text) }
                } else {
                    let value = attribute.logValue
                    pair.add(2) { Self.add(value, to: &$0) }
                }
            }
        }
        let sequence = Int64(clamping: view.sequence)
        writer.append(run)
        writer.add(6) { pair in
            pair.add(1, literal: "taffrail.seq")
            pair.add(2) { $0.add(3, varint: UInt64(sequence)) }
        }
        func addText(_ key: StaticString, _ text: UnsafeRawBufferPointer) {
            writer.add(6, lengthSize: text.count < 90 ? 1 : 2) { pair in
                pair.add(1, literal: key)
                pair.add(2, lengthSize: text.count < 126 ? 1 : 2) { $0.add(1, utf8: text) }
            }
        }
        if !parts.event.isEmpty && !own.contains(.event) { addText("event.name", parts.event) }
        guard !parts.file.isEmpty else { return }
        if !own.contains(.file) { addText("code.file.path", parts.file) }
        if !own.contains(.function) { addText("code.function.name", parts.function) }
        if !own.contains(.line) {
            writer.add(6) { pair in
                pair.add(1, literal: "code.line.number")
                pair.add(2) { $0.add(3, varint: UInt64(parts.line)) }
            }
        }
    }

    /// Adds the field of a value.
    private static func add(_ value: LogValue, to writer: inout ProtobufWriter) {
        switch value {
        case .string(let text): writer.add(1, string: text)
        case .bool(let isTrue): writer.add(2, varint: isTrue ? 1 : 0)
        case .int(let number): writer.add(3, varint: UInt64(bitPattern: number))
        case .double(let number): writer.add(4, fixed64: number.bitPattern)
        case .array(let elements):
            writer.add(5) { list in
                for element in elements { list.add(1) { add(element, to: &$0) } }
            }
        case .map(let entries):
            writer.add(6) { list in
                for entry in entries {
                    list.add(1) { pair in
                        if !entry.key.isEmpty { pair.add(1, string: entry.key) }
                        pair.add(2) { add(entry.value, to: &$0) }
                    }
                }
            }
        case .bytes(let bytes): bytes.withUnsafeBytes { writer.add(7, bytes: $0) }
        case .date: writer.add(1, string: value.description)
        }
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        OTLPResponse.meaning(of: status, body) {
            // Some collectors respond in JSON even to protobuf.
            Self.content(of: body) ?? OTLPJSONEncoding.content(of: body)
        }
    }

    /// Returns the contents of a response: an `ExportLogsServiceResponse`, whose field 1 has the number of refused
    /// records in field 1, and the reason in field 2; `nil` if it is none.
    private static func content(of body: [UInt8]) -> OTLPResponse.Content? {
        guard let response = ProtobufFields(body[...]) else { return nil }
        var content = OTLPResponse.Content.success
        for case (1, .bytes(let message)) in response.all {
            guard let partial = ProtobufFields(message) else { return nil }
            var (refused, reason) = (UInt64(0), "")
            for field in partial.all {
                switch field {
                case (1, .varint(let number)): refused = UInt64(max(0, Int64(bitPattern: number)))
                case (2, .bytes(let text)): reason = String(decoding: text, as: UTF8.self)
                default: break
                }
            }
            content = .partial(refused, reason)
        }
        return content
    }
}

/// The attributes that this project adds, if a record itself has one of the same name.
private struct OwnFields: OptionSet {
    let rawValue: UInt8

    /// `taffrail.run` or `taffrail.seq`.
    static let identity = OwnFields(rawValue: 1)
    static let event = OwnFields(rawValue: 2)
    static let file = OwnFields(rawValue: 4)
    static let function = OwnFields(rawValue: 8)
    static let line = OwnFields(rawValue: 16)
}

extension OwnFields {
    init(_ key: UnsafeRawBufferPointer) {
        func matches(_ name: StaticString) -> Bool {
            key.count == name.utf8CodeUnitCount
                && key.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: key.count))
        }
        // The length excludes most keys.
        switch key.count {
        case 12 where matches("taffrail.run") || matches("taffrail.seq"): self = .identity
        case 10 where matches("event.name"): self = .event
        case 14 where matches("code.file.path"): self = .file
        case 18 where matches("code.function.name"): self = .function
        case 16 where matches("code.line.number"): self = .line
        default: self = []
        }
    }
}
#endif
