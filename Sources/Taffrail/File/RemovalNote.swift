/// Records intended removals in the ledger beforehand, so that they are not reported as losses (decision 0008).
struct RemovalNote {
    private let log: LogPath
    private let reason: Ledger.Removal.Reason

    init(_ log: LogPath, _ reason: Ledger.Removal.Reason) {
        self.log = log
        self.reason = reason
    }

    /// Records files that are about to be removed; `nil` is the live one. They are removed even if this fails: a full
    /// disk must get free space.
    func write(_ names: [RotatedName?]) {
        guard !names.isEmpty, let index = try? LogIndex(of: log) else { return }
        let wanted = Set(names.map { $0?.compressed(.none) })
        let time = Timestamp.now
        var entries: [LedgerEntry] = []
        for file in index.files where wanted.contains(file.name?.compressed(.none)) {
            let name = file.name?.compressed(.none).text(in: log) ?? log.base
            func entry(_ run: RingID, _ first: UInt64?, _ last: UInt64?) {
                entries.append(
                    .removal(Ledger.Removal(run: run, time: time, reason: reason, first: first, last: last, file: name))
                )
            }
            for stretch in file.stretches { entry(stretch.run, stretch.firstSequence, stretch.lastSequence) }
            if file.stretches.isEmpty { entry(.none, nil, nil) }
        }
        try? LedgerFile(directory: log.state).append(entries)
    }
}
