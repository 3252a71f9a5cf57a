#if Journald
import Foundation
import Taffrail
import TaffrailJournald
import TaffrailTestSupport
import TaffrailTesting
import Testing

/// What `taffrail status` prints of the sink `journald`.
@Suite(.mayBlock) struct JournaldStatusTests {
    @Test func `while journald is away the status has the fallback and its records`() throws {
        let folder = TemporaryDirectory()
        let options = JournaldOptions(socket: folder.path + "/absent")
        let sink = JournaldSink(options, name: "journald", program: "tests", fallbackName: "memory") {
            () throws(SinkError) in MemorySink()
        }
        sink.attach(SinkBook(sink: "journald", ledgers: [], statusDirectory: folder.path))
        let status = folder.path + "/journald.status"
        #expect(!FileManager.default.fileExists(atPath: status))
        var buffer = RecordBuffer(run: RingID(1))
        for n in 0..<3 { buffer.append(LogRecord(level: .info, message: "\(n)")) }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        try sink.close()
        let json = try String(contentsOfFile: status, encoding: .utf8)
        #expect(json.contains("\"destination\":\"memory\",\"fallback_records\":3"), "\(json)")
    }
}
#endif
