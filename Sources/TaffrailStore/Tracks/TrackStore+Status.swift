#if Store
public import Taffrail

extension TrackStore {
    /// The status of the store: `rows`, `bytes` (of the database and its write-ahead log), `oldest`, `newest`,
    /// `last_save`; unknown values are omitted.
    public var status: [LogValueEntry] {
        let facts = self.facts
        var entries = [
            LogValueEntry("rows", .int(facts.rows)),
            LogValueEntry("bytes", .int(StoreFile(path: path, kind: .positions).size)),
        ]
        func add(_ name: String, _ milliseconds: Int64?) {
            guard let milliseconds else { return }
            entries.append(LogValueEntry(name, .date(Timestamp(nanoseconds: milliseconds &* 1_000_000))))
        }
        add("oldest", facts.oldest)
        add("newest", facts.newest)
        if let lastSave { entries.append(LogValueEntry("last_save", .date(lastSave))) }
        return entries
    }
}
#endif
