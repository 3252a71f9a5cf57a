import Glibc
import Taffrail
import TaffrailConsole
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The console's lines in a file, as a service manager would keep them.
private final class ConsoleSubject: SinkSubject {
    private let descriptor: CInt
    private let directory = TemporaryDirectory()

    init() throws {
        descriptor = open(directory.file("console"), O_RDWR | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    var keeps: RecordParts { [.message, .level] }

    func makeSink() throws -> any Sink {
        ConsoleSink(ConsoleOptions(color: .never, priority: .always), name: "console", descriptor: descriptor)
    }

    /// `<N>[LEVEL] text`.
    func records() throws -> [LogRecord] {
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
        return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let text = String(decoding: line, as: UTF8.self)
            let parts = text.split(separator: "] ", maxSplits: 1, omittingEmptySubsequences: false)
            let head = parts[0].split(separator: ">[")
            let level = try #require(Level(name: String(head[1])))
            #expect(head[0] == "<\(level.syslogPriority)")
            return LogRecord(level: level, message: String(parts[1]))
        }
    }

    /// The message with its attributes, as one line.
    func expected(_ record: LogRecord) -> LogRecord {
        var text = RecordText()
        var buffer = RecordBuffer()
        buffer.append(record)
        var line = ""
        buffer.withBatch { batch in
            batch.forEach { view in
                line = text.withLine(of: view) { span in
                    String(decoding: (0..<span.count - 1).map { span[$0] }, as: UTF8.self)
                }
            }
        }
        let start = "] [\(record.level.label)] "
        var shown = record
        shown.message = line.range(of: start).map { String(line[$0.upperBound...]) } ?? line
        return shown
    }
}

extension String {
    /// The first place of another text.
    fileprivate func range(of other: String) -> Range<Index>? { self[...].firstRange(of: other) }
}

@Suite(.mayBlock) struct ConsoleRules {
    @Test(arguments: SinkRule.all) func `the console keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(ConsoleSubject())
    }
}
