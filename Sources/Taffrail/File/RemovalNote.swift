/// Records intended removals in the ledger beforehand, so that they are not reported as losses (decision 0008).
struct RemovalNote {
    let log: LogPath
    let reason: Ledger.Removal.Reason

    /// Records files that are about to be removed; `nil` is the live one. They are removed even if this fails: a full
    /// disk must get free space.
    ///
    /// - Returns: Whether they have been recorded.
    @discardableResult
    func write(_ names: [RotatedName?]) -> Bool {
        guard !names.isEmpty else { return true }
        // Without the index at least the names are recorded.
        let index = try? IndexedStretches(of: log)
        let time = Timestamp.now
        var entries: [LedgerEntry] = []
        for plain in names.map({ $0?.compressed(.none) }) {
            let name = plain?.text(in: log) ?? log.base
            let file = plain.map { index?.rotations[$0]?.file } ?? live
            let lines = file.flatMap { index?.files[$0] }
            let known = lines?.stretches ?? []
            func entry(_ run: RingID, _ first: UInt64?, _ last: UInt64?) {
                entries.append(
                    .removal(Ledger.Removal(run: run, time: time, reason: reason, first: first, last: last, file: name))
                )
            }
            for stretch in known { entry(stretch.run, stretch.firstSequence, stretch.lastSequence) }
            for rest in lines?.rests ?? [] {
                entry(rest.run, rest.firstSequence, index?.lastNumber(of: rest))
            }
            if known.isEmpty { entry(.none, nil, nil) }
        }
        do throws(SystemError) {
            try LedgerFile(directory: log.state).append(entries)
            return true
        } catch {
            return false
        }
    }

    /// The live file; `nil` if it cannot be opened.
    private var live: IndexEntry.FileID? {
        guard let file = try? FileDescriptor(log.live, [.read, .ownFile]), let status = try? file.status() else {
            return nil
        }
        return IndexEntry.FileID(file.identity(status))
    }
}
