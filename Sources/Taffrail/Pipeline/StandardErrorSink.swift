/// Text lines on stderr: where a program logs whose file cannot be written.
final class StandardErrorSink: Sink {
    let name = "stderr"
    private var encoder = TextEncoder()
    private var buffer = LineBuffer()

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        buffer.removeAll(keeping: 64 << 10)
        batch.forEach { encoder.encode($0, into: &buffer) }
        // Without a reader these lines are lost, and there is nowhere else to report that.
        let code = FileDescriptor.writeStandardError(buffer.bytes)
        guard code == 0 else { throw .permanent("\(SystemError("write stderr", code: code))", taken: batch.count - 1) }
    }
}
