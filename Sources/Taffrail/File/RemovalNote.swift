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
        guard !names.isEmpty, let index = try? IndexedStretches(of: log) else { return }
        let time = Timestamp.now
        var entries: [LedgerEntry] = []
        for name in names {
            let name = name?.compressed(.none)
            let file: IndexEntry.FileID?
            if let name {
                file = index.rotations[name]?.file
            } else {
                guard let live else { continue }
                file = live
            }
            let stretches = file.flatMap { index.stretches[$0] } ?? []
            func entry(_ run: RingID, _ first: UInt64?, _ last: UInt64?) {
                entries.append(
                    .removal(
                        Ledger.Removal(
                            run: run, time: time, reason: reason, first: first, last: last,
                            file: name?.text(in: log) ?? log.base)))
            }
            for stretch in stretches { entry(stretch.run, stretch.firstSequence, stretch.lastSequence) }
            if stretches.isEmpty { entry(.none, nil, nil) }
        }
        try? LedgerFile(directory: log.state).append(entries)
    }

    /// The live file; `nil` if it cannot be opened.
    private var live: IndexEntry.FileID? {
        guard let file = try? FileDescriptor(log.live, [.read, .ownFile]), let status = try? file.status() else {
            return nil
        }
        return IndexEntry.FileID(file.identity(status))
    }
}
