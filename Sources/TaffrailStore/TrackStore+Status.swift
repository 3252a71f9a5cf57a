#if Store
public import Taffrail

extension TrackStore {
    /// How the store is: `rows`, `bytes` (of the database and its log), `oldest`, `newest`, `last_save`; what is not known is left
    /// out.
    public var status: [LogValueEntry] {
        let facts = self.facts
        var entries = [
            LogValueEntry("rows", .int(facts.rows)), LogValueEntry("bytes", .int(StoreFile(path: path).size)),
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
