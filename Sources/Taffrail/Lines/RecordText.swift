/// Lines as the file sink writes them, for sinks of one's own: `[2026-01-05 14:30:00.123] [INFO] message key=value`.
///
/// One record is one line: whatever could end or restyle it is escaped. Use one value for many records; it keeps its
/// memory.
public struct RecordText: ~Copyable {
    private var encoder: LineEncoder
    private var line = LineBuffer()

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - format: How lines are written. Default ``LineOptions/Format/text``, which also ``LineOptions/Format/pattern``
    ///     stands for.
    ///   - time: Whose clock the lines show, but for JSON, which has UTC. Default ``LineOptions/Time/local``.
    public init(format: LineOptions.Format = .text, time: LineOptions.Time = .local) {
        encoder = LineEncoder(format, zone: time == .utc ? .utc : .local)
    }

    /// Lends a record's line, with its newline.
    public mutating func withLine<R, E: Error>(
        of record: borrowing RecordView, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        line.removeAll(keeping: 64 << 10)
        encoder.encode(record, into: &line)
        return try body(line.bytes.bindMemory(to: UInt8.self).span)
    }
}
