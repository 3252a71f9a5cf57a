/// Encodes records with a ``LineFormat``, each on one line.
package struct FormatEncoder: LineEncoding {
    /// Encoders are values, but a line is not.
    private final class Room {
        var line = LineText()
    }

    private var format: any LineFormat
    private let room = Room()

    init(_ format: any LineFormat) { self.format = format }

    mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        room.line.removeAll()
        format.write(record, to: &room.line)
        room.line.withBytes { buffer.append(line: $0) }
        buffer.append(UInt8(ascii: "\n"))
    }
}
