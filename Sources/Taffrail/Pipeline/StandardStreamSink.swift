/// Writes lines to stdout or stderr, for a program without a configuration: if `TAFFRAIL_CONSOLE` requests it, or if
/// the file cannot be written.
final class StandardStreamSink: Sink {
    let name: String
    var destinations: [String] { [name] }
    private let descriptor: CInt
    private var encoder: LineEncoder
    private var buffer = LineBuffer()

    init(_ name: String, descriptor: CInt, _ format: LineOptions.Format) {
        self.name = name
        self.descriptor = descriptor
        encoder = LineEncoder(format, zone: .local)
    }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        buffer.removeAll(keeping: 64 << 10)
        batch.forEach { encoder.encode($0, into: &buffer) }
        // Without a reader these lines are lost; this cannot be reported elsewhere.
        let code = FileDescriptor.write(all: buffer.bytes, to: descriptor).code
        guard code == 0 else { throw .permanent("\(SystemError("write \(name)", code: code))", taken: batch.count - 1) }
    }
}
