/// A format for the lines of a ``FileSink``, for programs that need one other than those of ``LineOptions/Format``.
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

    /// Writes a record's line, without its newline. The result is always one line: newlines and the other characters
    /// that ``LineText`` lists are escaped.
    ///
    /// Called on one thread at a time, on the writer thread in a pipeline, once for each record, or again if writing it
    /// fails. After a crash the next run calls it for the remaining records.
    mutating func write(_ record: borrowing RecordView, to line: inout LineText)
}
