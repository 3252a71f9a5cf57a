/// Writes lines to stdout or stderr, for a program without a configuration: if `TAFFRAIL_CONSOLE` requests it, or if
/// the file cannot be written.
final class StandardStreamSink: Sink {
    let name: String
    var destinations: [String] { [name] }
    private var text: RecordText
    private var stream: LineStream

    init(_ name: String, descriptor: CInt, _ format: LineOptions.Format) {
        self.name = name
        text = RecordText(format: format)
        stream = LineStream(descriptor)
    }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var taken = 0
        do throws(SystemError) {
            try stream.write(batch, taken: &taken) { record, bytes in
                text.withLine(of: record) { line in line.withUnsafeBytes { bytes.append(contentsOf: $0) } }
            }
        } catch {
            // Without a reader the line is lost; a full disk or a slow reader may recover.
            throw SinkError(
                error.isFull || error.code == Errno.wouldBlock ? .temporary : .permanent, taken: taken,
                reason: "\(error.operation) \(name): \(Errno.text(error.code))")
        }
    }
}
