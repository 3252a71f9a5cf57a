#if Store
/// The result of a deletion.
public struct LogDeletionResult: Sendable, Hashable {
    /// The number of deleted records.
    public var records: Int
    /// Whether neither the database nor its write-ahead log contains any trace of them. `false` while another
    /// connection reads the old state; the next deletion or maintenance, or the next start of the program that writes
    /// the store, removes the rest.
    public var isErased: Bool
}
#endif
