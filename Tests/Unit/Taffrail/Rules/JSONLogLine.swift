import Foundation
import Taffrail
import Testing

/// Reads the file sink's JSON lines back, independently of the code that writes them.
struct JSONLogLine: Decodable {
    private let time: String
    private let level: String
    private let message: String
    private let logger: String?
    private let event: String?
    private let attributes: [String: Value]?
    private let trace_id: String?
    private let span_id: String?
    private let file: String?
    private let line: UInt32?
    private let function: String?
    private let seq: UInt64?
    private let run: String?

    /// Reads a line. Attributes are sorted by name, because the objects of JSON have no order.
    static func record(_ line: Substring) throws -> LogRecord {
        try JSONDecoder().decode(JSONLogLine.self, from: Data(line.utf8)).record()
    }

    private func record() throws -> LogRecord {
        var record = LogRecord(
            timestamp: try #require(Self.moment(time)), sequence: seq ?? 0, run: run.flatMap { RingID($0) } ?? .none,
            level: try #require(Level(name: level)), message: message, eventName: event,
            attributes: Value.entries(attributes ?? [:]), logger: logger ?? "")
        if let file, let function, let line {
            record.source = LogRecord.SourceLocation(file: file, function: function, line: line)
        }
        if let trace = trace_id.flatMap({ TraceContext.TraceID($0) }),
            let span = span_id.flatMap({ TraceContext.SpanID($0) })
        {
            record.trace = TraceContext(traceID: trace, spanID: span)
        }
        return record
    }

    private static func moment(_ text: String) -> Timestamp? {
        let parts = text.split(separator: ".")
        guard parts.count == 2, parts[1].count == 10, let fraction = Int64(parts[1].dropLast()),
            let date = try? Date(parts[0] + "Z", strategy: .iso8601)
        else { return nil }
        return Timestamp(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000 + fraction)
    }

    /// A value, by the type as which it can be parsed.
    private struct Value: Decodable {
        let value: LogValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                value = .bool(flag)
            } else if let number = try? container.decode(Int64.self) {
                value = .int(number)
            } else if let number = try? container.decode(Double.self) {
                value = .double(number)
            } else if let text = try? container.decode(String.self) {
                value = .string(text)
            } else if let list = try? container.decode([Value].self) {
                value = .array(list.map(\.value))
            } else {
                value = .map(Self.entries(try container.decode([String: Value].self)))
            }
        }

        static func entries(_ map: [String: Value]) -> [LogValueEntry] {
            map.map { LogValueEntry($0.key, $0.value.value) }.sorted { $0.key < $1.key }
        }
    }

    /// A value as JSON.
    static func value(as value: LogValue) -> LogValue {
        switch value {
        case .bytes(let bytes): .string(Data(bytes).base64EncodedString())
        case .date: .string(value.description)
        case .array(let list): .array(list.map { self.value(as: $0) })
        case .map(let map):
            .map(map.map { LogValueEntry($0.key, self.value(as: $0.value)) }.sorted { $0.key < $1.key })
        default: value
        }
    }
}
