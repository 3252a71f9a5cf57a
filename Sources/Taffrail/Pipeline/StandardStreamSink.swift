/// Lines on stdout or stderr, for a program that has set nothing up: where `TAFFRAIL_CONSOLE` asks for them, and where its
/// file cannot be written.
final class StandardStreamSink: Sink {
    let name: String
    let destinations: [String]
    private let write: (UnsafeRawBufferPointer) -> CInt
    private var encoder: LineEncoder
    private var buffer = LineBuffer()

    /// Makes a sink to stdout.
    static func output(_ format: LineOptions.Format) -> StandardStreamSink {
        StandardStreamSink("stdout", format) { FileDescriptor.writeStandardOutput($0) }
    }

    /// Makes a sink to stderr.
    static func error() -> StandardStreamSink {
        StandardStreamSink("stderr", .text) { FileDescriptor.writeStandardError($0) }
    }

    private init(_ name: String, _ format: LineOptions.Format, write: @escaping (UnsafeRawBufferPointer) -> CInt) {
        self.name = name
        self.write = write
        destinations = [name]
        encoder = LineEncoder(format, zone: .local)
    }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        buffer.removeAll(keeping: 64 << 10)
        batch.forEach { encoder.encode($0, into: &buffer) }
        // Without a reader these lines are lost, and there is nowhere else to report that.
        let code = write(buffer.bytes)
        guard code == 0 else { throw .permanent("\(SystemError("write \(name)", code: code))", taken: batch.count - 1) }
    }
}
