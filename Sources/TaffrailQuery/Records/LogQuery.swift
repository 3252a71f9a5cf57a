/// The queries of stored records, independent of the store.
///
/// Implementations agree with ``LogSelection/matches(_:)`` and order records by their origin's time. Every function may
/// be called on any thread, also concurrently, and blocks during disk and network operations; a slow count never blocks
/// the list of records. A query that cannot be answered throws ``LogQueryError``.
public protocol LogQuery: Sendable {
    /// Returns a page of the records that a selection matches.
    func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage

    /// Returns a record and those before and after it; `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - id: The identity of the record.
    ///   - before: The maximum number of records before it.
    ///   - after: The maximum number of records after it.
    ///   - selection: The selection of the other records; the record itself need not match.
    func records(
        around id: String, before: Int, after: Int, matching selection: LogSelection
    ) throws(LogQueryError) -> RecordSurroundings?

    /// Returns the number of records over time.
    func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram

    /// Returns the values of a field and the number of records with each, the most frequent first.
    func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues

    /// Returns the devices that have logged, by name, with their last positions.
    func devices() throws(LogQueryError) -> [LogDevice]
}
