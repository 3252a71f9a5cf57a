import Glibc
import TaffrailReading
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What plugins report to `taffrail status`.
@Suite(.mayBlock) struct StatusFileTests {
    private let directory = TemporaryDirectory()

    @Test func `a status is one JSON object with its time, replaced once a second at most`() throws {
        let clock = Locked<Int64>(0)
        let status = SinkBook.StatusFile(of: "spool", in: directory.path, now: { clock.withLock { $0 } })
        #expect(status.publish([LogValueEntry("waiting", 3), LogValueEntry("target", "a \"b\"")]))
        let first = directory.text("spool.status")
        #expect(first.hasPrefix("{\"time\":\"") && first.hasSuffix("Z\",\"waiting\":3,\"target\":\"a \\\"b\\\"\"}\n"))
        clock.withLock { $0 = 999_999_999 }
        #expect(!status.publish([]))
        #expect(directory.text("spool.status") == first)
        #expect(status.publish([], isFinal: true))
        clock.withLock { $0 = 3_000_000_000 }
        #expect(status.publish([LogValueEntry("waiting", 2)]))
        #expect(directory.text("spool.status").hasSuffix("\"waiting\":2}\n"))
        #expect(directory.names == ["spool.status"])
    }

    @Test func `the last values before a program is idle are written when the second is over`() async {
        let status = SinkBook.StatusFile(of: "spool", in: directory.path)
        for number in 1...20 { status.publish([LogValueEntry("waiting", .int(Int64(number)))]) }
        #expect(await eventually { directory.text("spool.status").hasSuffix("\"waiting\":20}\n") })
    }

    @Test func `values that came too early are written once, and never after later ones`() throws {
        let clock = Locked<Int64>(0)
        let status = SinkBook.StatusFile(of: "spool", in: directory.path, now: { clock.withLock { $0 } })
        #expect(status.publish([LogValueEntry("waiting", 1)]))
        #expect(!status.publish([LogValueEntry("waiting", 2)]))
        #expect(status.writeEarly() == .seconds(1))
        #expect(status.publish([LogValueEntry("waiting", 3)], isFinal: true))
        clock.withLock { $0 = 5_000_000_000 }
        #expect(status.writeEarly() == nil)
        #expect(directory.text("spool.status").hasSuffix("\"waiting\":3}\n"))
    }

    @Test func `a status has at most 4 KiB`() {
        let status = SinkBook.StatusFile(of: "long", in: directory.path)
        let values = (0..<100).map { LogValueEntry("key\($0)", .string(String(repeating: "x", count: 100))) }
        #expect(status.publish(values))
        let text = directory.text("long.status")
        #expect(text.utf8.count <= 4096 && text.utf8.count > 3900)
        #expect(text.hasSuffix(",\"truncated\":true}\n") && text.contains("\"key30\""))
    }

    @Test func `names of instances are made safe for files, and stay distinct`() {
        #expect(SinkBook.StatusFile.fileName(of: "geo-recorder") == "geo-recorder")
        #expect(SinkBook.StatusFile.fileName(of: "file:/var/app.log") == "file%3A%2Fvar%2Fapp.log")
        #expect(SinkBook.StatusFile.fileName(of: "..") == "%2E.")
        #expect(SinkBook.StatusFile.fileName(of: "a%2F") == "a%252F")
        #expect(SinkBook.StatusFile.fileName(of: String(repeating: "ü", count: 200)).utf8.count <= 200)
    }

    @Test func `a sink's status is in its state directory, else in that of the queue`() throws {
        final class Telling: Sink, @unchecked Sendable {
            let name = "a/b"
            var book = SinkBook.none
            func attach(_ book: SinkBook) { self.book = book }
            func write(_ batch: borrowing RecordBatch) throws(SinkError) {
                book.status?.publish([LogValueEntry("records", .int(Int64(batch.count)))], isFinal: true)
            }
        }
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log"))), Telling()],
            queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("one")
        #expect(pipeline.shutdown())
        let read = SinkBook.StatusFile.read(directory: directory.file(".taffrail"))
        #expect(read.map(\.instance) == ["a%2Fb"] && read[0].json.contains("\"records\":"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a status that root writes in a user's directory is the user's, and nothing there blocks it`() throws {
        symlink(directory.file("elsewhere"), directory.file("spool.status.\(ThisProcess.id).tmp"))
        chown(directory.path, 65_534, 65_534)
        let status = SinkBook.StatusFile(of: "spool", in: directory.path)
        #expect(status.publish([LogValueEntry("waiting", 1)]))
        #expect(try FileStatus.of(directory.file("spool.status"))?.owner == 65_534)
        #expect(directory.names == ["spool.status"])
    }

    @Test func `foreign files and files with several lines are not shown`() throws {
        try directory.append("{\"a\":\u{1B}[31m}\n", to: "escape.status")
        try directory.append("{}\n{}\n", to: "two.status")
        try directory.append(String(repeating: "x", count: 5000) + "\n", to: "long.status")
        symlink("/etc/passwd", directory.file("link.status"))
        #expect(SinkBook.StatusFile.read(directory: directory.path).isEmpty)
    }
}
