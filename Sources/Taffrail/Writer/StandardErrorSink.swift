internal import Glibc

/// Text lines on stderr: where a program logs whose file cannot be written.
final class StandardErrorSink: Sink {
    let name = "stderr"
    private var encoder = TextEncoder()
    private var buffer = LineBuffer()

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        buffer.removeAll(keeping: 64 << 10)
        batch.forEach { encoder.encode($0, into: &buffer) }
        var rest = buffer.bytes
        while !rest.isEmpty {
            let written = Glibc.write(2, rest.baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            // Nobody reads: these lines are lost, and there is nowhere else to say so.
            guard written > 0 else { throw .permanent("\(SystemError("write stderr"))", taken: batch.count - 1) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
    }
}
