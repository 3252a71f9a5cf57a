/// What can be asked of stored records, whatever stores them.
///
/// Implementations agree with ``LogSelection/matches(_:)`` and order records by their origin's time. Every function may be
/// called on any thread, several at a time, and blocks as long as a disk or network takes; a slow count never blocks the
/// list of records. What cannot be answered throws ``LogQueryError``.
public protocol LogQuery: Sendable {
    /// A page of the records that a selection wants.
    func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage

    /// A record and those before and after it; `nil` where it does not exist.
    ///
    /// - Parameters:
    ///   - id: That of the record.
    ///   - before: The most records before it.
    ///   - after: The most records after it.
    ///   - selection: Which of the others are wanted; the record itself need not be.
    func records(
        around id: String, before: Int, after: Int, matching selection: LogSelection
    ) throws(LogQueryError) -> RecordSurroundings?

    /// How many records there are over time.
    func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram

    /// The values of a field and how many records have each, the most frequent first.
    func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues

    /// The devices that have logged, by name, with their last positions.
    func devices() throws(LogQueryError) -> [LogDevice]
}
