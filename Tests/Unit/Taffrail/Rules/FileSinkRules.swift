import Foundation
import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// The file sink keeps the rules, on a disk that fills up.
@Suite(.mayBlock) struct FileSinkRules {
    /// A log on a small separate disk or, if none can be mounted, in a directory that cannot be interrupted.
    private struct Place {
        private let disk = FillableDirectory("12m")
        var directory: TemporaryDirectory { disk.directory }

        /// Leaves room for some 40 lines.
        func interrupt() throws -> Bool {
            try disk.fill() && truncate(directory.file("filler"), off_t(directory.size("filler") - 8192)) == 0
        }

        func restore() throws { try disk.free() }
    }

    private struct JSONSubject: SinkSubject {
        let place = Place()

        func makeSink() throws -> any Sink {
            try FileSink(
                FileOptions(
                    path: place.directory.file("app.log"), rotate: RotationOptions(size: .kibibytes(64), keep: nil),
                    format: .json))
        }

        func records() throws -> [LogRecord] {
            try place.directory.logs.flatMap { name in
                try place.directory.text(name).split(separator: "\n").map { try JSONLogLine.record($0) }
            }
        }

        /// JSON has neither bytes nor dates, and its objects no order.
        func expected(_ record: LogRecord) -> LogRecord {
            var expected = record
            expected.attributes = record.attributes.map { LogValueEntry($0.key, JSONLogLine.value(as: $0.value)) }
                .sorted { $0.key < $1.key }
            return expected
        }

        func interrupt() throws -> Bool { try place.interrupt() }
        func restore() throws { try place.restore() }
    }

    private struct TextSubject: SinkSubject {
        let place = Place()
        var keeps: RecordParts { [.message, .level] }

        func makeSink() throws -> any Sink { try FileSink(FileOptions(path: place.directory.file("app.log"))) }

        func records() throws -> [LogRecord] {
            place.directory.text("app.log").split(separator: "\n").map { line in
                let parts = line.dropFirst("[2026-01-05 14:30:00.123] [".count).split(separator: "] ", maxSplits: 1)
                return LogRecord(
                    level: Level(name: String(parts[0])) ?? .trace, message: parts.count > 1 ? String(parts[1]) : "")
            }
        }

        /// A text line has control characters escaped and everything else after the message.
        func expected(_ record: LogRecord) -> LogRecord {
            var text = ""
            for scalar in record.message.unicodeScalars {
                switch scalar {
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\0"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}":
                    text += "\\u{\(String(scalar.value, radix: 16))}"
                default: text.unicodeScalars.append(scalar)
                }
            }
            if let pier = record["pier"], let trace = record.trace {
                text += " pier=\(pier) event=ship.departed trace_id=\(trace.traceID) span_id=\(trace.spanID)"
                text += " logger=\(record.logger)"
            }
            return LogRecord(level: record.level, message: text)
        }

        func interrupt() throws -> Bool { try place.interrupt() }
        func restore() throws { try place.restore() }
    }

    @Test(arguments: SinkRule.all) func `JSON lines keep every rule`(rule: SinkRule) async throws {
        try await rule.check(JSONSubject())
    }

    @Test(arguments: SinkRule.all) func `text lines keep every rule`(rule: SinkRule) async throws {
        try await rule.check(TextSubject())
    }
}
