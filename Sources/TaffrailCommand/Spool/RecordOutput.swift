#if Command && Configuration
internal import Taffrail

/// Prints records as JSON lines.
struct RecordOutput {
    enum Ending: Error { case enough, closed }

    private var encoder = JSONLineEncoder()

    mutating func print(_ record: borrowing RecordView) throws(Ending) {
        var buffer = LineBuffer()
        encoder.encode(record, into: &buffer)
        guard StandardStream.write(buffer.bytes, to: 1) == 0 else { throw .closed }
    }
}
#endif
