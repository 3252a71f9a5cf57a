/// A format for the lines of a ``FileSink``, for programs that need another one than those of ``LineOptions/Format``.
///
/// The sink does the rest: rotation, compression, the index, and every record exactly once, also after SIGKILL.
///
///     struct CSVFormat: LineFormat {
///         let name = "csv"
///
///         mutating func write(_ record: borrowing RecordView, to line: inout LineText) {
///             line.append(record.timestamp)
///             line.append(",")
///             line.append(record.level.name)
///             line.append(",")
///             line.append(LogValue(record.message.replacing(",", with: ";")))
///         }
///     }
///
///     try Pipeline.start(sinks: [.file("app.csv", format: CSVFormat())])
public protocol LineFormat: Sendable {
    /// A name for this format, the same in every run, of at most 24 bytes, other than those of ``LineOptions/Format``.
    /// It is stored with the queue: after a crash, `taffrail recover` leaves the records to the program that knows the
    /// format.
    var name: String { get }

    /// Writes a record's line, without its newline. What is written is one line in any case: newlines and whatever else
    /// ``LineText`` names are escaped.
    ///
    /// Called on one thread at a time, on the writer thread in a pipeline, once for each record, or again if writing it
    /// fails. After a crash the next run calls it for the remaining records.
    mutating func write(_ record: borrowing RecordView, to line: inout LineText)
}

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

    /// Appends a value as text lines have it: text itself, numbers, lists and maps as in JSON.
    public mutating func append(_ value: LogValue) { buffer.append(string: value.description) }

    /// Lends the bytes.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { body(buffer.bytes) }

    mutating func removeAll() { buffer.removeAll(keeping: 64 << 10) }
}
