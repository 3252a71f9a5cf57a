// Uses declarations of the core that are visible to tests only.
#if TAFFRAIL_TESTABLE
@testable package import Taffrail

extension TemporaryDirectory {
    /// Writes a ring with the records `left 1` to `left 3`, and returns its path.
    ///
    /// - Parameters:
    ///   - place: The directory, relative to this one.
    ///   - logs: The sinks: name, path, and the number of records that it has received. The ring is for the first one's
    ///     log.
    ///   - filters: Their filters, by their places in the list.
    package func leaveRing(
        _ place: String, _ logs: [(name: String, path: String, written: Int)], filters: [Int: SinkFilter] = [:]
    ) -> String {
        var ring = CraftedRing(sinks: logs.map(\.name))
        for n in 1...3 {
            ring.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_500_000_000_000), level: .info, message: "left \(n)"))
        }
        let ends = [0] + ring.records.map { $0.position + UInt64($0.length) }
        ring.withHeader { header in
            for (slot, log) in logs.enumerated() {
                let path = LogPath(ofLog: log.path)?.resolved ?? log.path
                header.setSink(slot, name: log.name, destination: SinkNames.destinationID(of: [path]))
                header.setPosition(ofSlot: slot, ends[log.written])
            }
            let base = String(logs[0].path.split(separator: "/").last ?? "")
            header.setLog(slot: 0, encoder: "text", destination: base)
            RingFilters.store(filters.map { ($0.key, $0.value) }, in: header)
        }
        let path = file("\(place)/\(ring.run).ring")
        ring.write(to: path)
        return path
    }
}
#endif
