internal import Taffrail

/// Writes lines in one format; lines in other formats are converted.
final class LineOutput {
    private let format: FileOptions.Format
    private let isForTerminal: Bool
    private let records = LineParser()
    private var encoder: LineEncoder?

    /// - Parameters:
    ///   - format: Text, JSON or logfmt.
    ///   - isForTerminal: Whether to escape control characters in lines of other programs.
    init(_ format: FileOptions.Format, isForTerminal: Bool) {
        self.format = format
        self.isForTerminal = isForTerminal
        var options = FileOptions(path: "-")
        options.format = format
        encoder = try? LineEncoder(options, zone: .local)
    }

    /// Appends a line with its newline.
    ///
    /// - Parameters:
    ///   - time: The time for a line that has none.
    ///   - marks: Attributes to add.
    func append(
        _ line: UnsafeRawBufferPointer, _ head: LineHead, time: Int64, marks: [LogValueEntry],
        to buffer: inout LineBuffer
    ) {
        if marks.isEmpty, isSame(head.shape), !(head.shape == .json && head.hasOtherKeys) {
            if isForTerminal {
                buffer.append(line: line)
            } else {
                buffer.append(line)
            }
            return buffer.append(UInt8(ascii: "\n"))
        }
        var record = records.record(line, head, time: time)
        record.attributes += marks
        encode(record, to: &buffer)
    }

    private func isSame(_ shape: LineHead.Shape) -> Bool {
        switch format {
        case .text, .pattern: shape == .text || shape == .foreign
        case .json: shape == .json
        case .logfmt: shape == .logfmt
        }
    }

    /// Appends a record's line.
    func encode(_ record: LogRecord, to buffer: inout LineBuffer) {
        var records = RecordBuffer(run: record.run)
        records.append(record)
        guard var encoder = encoder.take() else { return }
        records.withBatch { batch in batch.forEach { encoder.encode($0, into: &buffer) } }
        self.encoder = encoder
    }
}
