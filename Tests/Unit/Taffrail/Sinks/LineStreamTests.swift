import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct LineStreamTests {
    /// Calls a body with a batch of messages.
    private func withBatch<E: Error>(
        _ messages: [String], _ body: (borrowing RecordBatch) throws(E) -> Void
    ) throws(E) {
        var buffer = RecordBuffer()
        for message in messages { buffer.append(LogRecord(level: .info, message: message)) }
        try buffer.withBatch(body)
    }

    /// Writes each message as a line, and returns how many were taken.
    private func write(_ messages: [String], to stream: inout LineStream) -> (taken: Int, code: CInt) {
        var (taken, code) = (0, CInt(0))
        withBatch(messages) { batch in
            do throws(SystemError) {
                try stream.write(batch, taken: &taken) { record, bytes in bytes += (record.message + "\n").utf8 }
            } catch {
                code = error.code
            }
        }
        return (taken, code)
    }

    /// Returns the error with which a sink refuses messages; `nil` if it takes them.
    private func refusal(of sink: StandardStreamSink, _ messages: [String]) -> SinkError? {
        var refusal: SinkError?
        withBatch(messages) { batch in
            do throws(SinkError) { try sink.write(batch) } catch { refusal = error }
        }
        return refusal
    }

    @Test func `complete lines are taken, and a torn one is written again on its own line`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // One page, the smallest pipe: F_SETPIPE_SZ, which glibc declares for GNU sources only.
        let room = Int(fcntl(ends[1], 1031, 4096))
        try #require(room > 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        var stream = LineStream(ends[1], patience: .zero)
        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 2 * room)
            let count = Glibc.read(ends[0], &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        let long = String(repeating: "c", count: room)
        var outcome = write(["a", "b", long, "d"], to: &stream)
        #expect(outcome.taken == 2 && outcome.code == EAGAIN)
        #expect(read() == "a\nb\n" + long.dropLast(4))
        outcome = write(["e", "f"], to: &stream)
        #expect(outcome.taken == 2 && outcome.code == 0)
        #expect(read() == "\ne\nf\n")
    }

    @Test func `each line that stdout refuses is lost by itself`() {
        let error = refusal(of: StandardStreamSink("stdout", descriptor: -1, .text), ["a", "b", "c"])
        #expect(error?.kind == .permanent && error?.taken == 0)
        #expect(error?.reason == "write stdout: \(Errno.text(EBADF))")
    }

    @Test func `lines wait for a disk that is full`() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let error = refusal(of: StandardStreamSink("stdout", descriptor: full, .json), ["a", "b"])
        #expect(error?.kind == .temporary && error?.taken == 0)
    }
}
