/// Encodes records as the lines of the file sink, for other sinks: `[2026-01-05 14:30:00.123] [INFO] message
/// key=value`.
///
/// One record is one line: characters that could end or restyle it are escaped. Reuse one value for many records; it
/// keeps its memory.
public struct RecordText: ~Copyable {
    private var encoder: LineEncoder
    private var line = LineBuffer()

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - format: The format of the lines. Default ``LineOptions/Format/text``; ``LineOptions/Format/pattern`` counts
    ///     as text.
    ///   - time: The time zone of the lines, except for JSON, which is always in UTC. Default
    ///     ``LineOptions/Time/local``.
    public init(format: LineOptions.Format = .text, time: LineOptions.Time = .local) {
        encoder = LineEncoder(format, zone: time == .utc ? .utc : .local)
    }

    /// Calls `body` with a record's line and its newline.
    public mutating func withLine<R, E: Error>(
        of record: borrowing RecordView, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        line.removeAll(keeping: 64 << 10)
        encoder.encode(record, into: &line)
        return try body(line.bytes.bindMemory(to: UInt8.self).span)
    }
}
