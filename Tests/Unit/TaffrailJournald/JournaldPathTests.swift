#if Journald
import Taffrail
import TaffrailJournald
import TaffrailTestSupport
import Testing

/// The path of journald's socket.
@Suite struct JournaldPathTests {
    @Test func `a path that is too long is an error, and not the socket at its start`() throws {
        let folder = TemporaryDirectory()
        let longest = folder.path + "/" + String(repeating: "s", count: 106 - folder.path.utf8.count)
        #expect(longest.utf8.count == 107)
        let socket = try DatagramSocket(longest)
        let cases: [(String, String?)] = [
            (longest, nil), (longest + "s", "journald at \(longest)s: File name too long"),
        ]
        for (path, reason) in cases {
            let options = JournaldOptions(socket: path, fallback: false)
            let sink = JournaldSink(options, name: "journald", program: "tests", fallbackName: "memory") {
                () throws(SinkError) in MemorySink()
            }
            var buffer = RecordBuffer(run: RingID(1))
            buffer.append(LogRecord(level: .info, message: "one"))
            var failure: SinkError?
            do throws(SinkError) {
                try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            } catch {
                failure = error
            }
            #expect(failure?.reason == reason)
            #expect(socket.read().contains("MESSAGE=one") == (reason == nil))
        }
    }
}
#endif
