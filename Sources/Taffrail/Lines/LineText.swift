/// A line that a ``LineFormat`` writes. It keeps its memory from line to line.
///
/// Characters that could end or restyle a line are escaped in the file as in text lines: control characters except TAB,
/// the separators U+2028 and U+2029, and characters that change the writing direction. Bytes that are not UTF-8 become
/// U+FFFD.
public struct LineText: ~Copyable {
    private var buffer = LineBuffer(capacity: 1024)

    init() {}

    /// Its number of bytes.
    public var count: Int { buffer.count }

    /// Appends text.
    public mutating func append(_ text: String) { buffer.append(string: text) }

    /// Appends UTF-8.
    public mutating func append(_ bytes: Span<UInt8>) { bytes.withUnsafeBytes { buffer.append($0) } }

    /// Appends a whole number.
    public mutating func append(_ number: Int64) { buffer.append(decimal: number) }

    /// Appends a time as `2026-01-05T14:30:00.123456789Z`.
    public mutating func append(_ time: Timestamp) { buffer.append(rfc3339: time.nanoseconds) }

    /// Appends a value as in text lines: strings unchanged, numbers, lists and maps as in JSON.
    public mutating func append(_ value: LogValue) { buffer.append(string: value.description) }

    /// Calls `body` with the bytes.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { body(buffer.bytes) }

    mutating func removeAll() { buffer.removeAll(keeping: 64 << 10) }
}
