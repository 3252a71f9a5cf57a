/// Matches the sinks of a pipeline with those of a dead run's ring.
package struct SinkMatch {
    /// For each sink of the pipeline its slot in the ring; `nil` if the run did not have it.
    package private(set) var slots: [Int?]
    /// Whether the run wrote to a destination of this pipeline, so that the ring is not one of another program that
    /// only has a kind of sink in common.
    private(set) var isOurs = false
    /// Whether the run wrote a log of the same name as one of this pipeline, which is another file.
    private(set) var hasNamesake = false
    /// The slots of the ring that no sink of the pipeline has taken.
    private var free: [Int]

    /// Compares by destination, then by name: a log may have been moved together with its ring, and old rings have
    /// names only. A log in another directory is not matched by name, unless that directory has a pointer to the ring.
    package init(_ sinks: [SinkState], in header: RingHeader, directory: String) {
        slots = Array(repeating: nil, count: sinks.count)
        let identities = sinks.map { SinkNames.destinationID(of: $0.sink) }
        free = (0..<RingHeader.sinkSlots).filter(header.hasSink)
        // The log next to the ring, at its present location.
        let next = sinks.firstIndex { state in
            guard let log = state.sink.logFile, state.sink.stateDirectory == directory else { return false }
            return header.destination == RingHeader.storedDestination(log.name)
        }
        if let slot = header.logSlot, free.contains(slot), let next {
            take(slot, for: next)
            isOurs = true
        }
        for index in sinks.indices where identities[index] != 0 && slots[index] == nil {
            guard let slot = free.first(where: { header.destinationID(ofSlot: $0) == identities[index] }) else {
                continue
            }
            take(slot, for: index)
            if header.destination.isEmpty || sinks[index].sink.stateDirectory != nil { isOurs = true }
        }
        let ring = RingSinks(header, ringIn: directory)
        var movedAlone: [Int] = []
        for index in sinks.indices where slots[index] == nil {
            guard let log = sinks[index].sink.logFile, let slot = ring.slot(ofMovedLog: log.path), free.contains(slot)
            else { continue }
            take(slot, for: index)
            movedAlone.append(slot)
            isOurs = true
        }
        var isMoved = false
        if let slot = header.logSlot, let index = slots.firstIndex(of: slot), !movedAlone.contains(slot),
            header.destinationID(ofSlot: slot) != 0, header.destinationID(ofSlot: slot) != identities[index]
        {
            isMoved = true
            takeMovedLogs(sinks, in: header)
        }
        let base = sinks.first { $0.sink.logFile != nil }?.sink.logFile?.name ?? ""
        let isOfOurLog = header.destination.isEmpty || header.destination == RingHeader.storedDestination(base)
        for name in [\SinkState.name, \SinkState.sink.name] {
            for index in sinks.indices where slots[index] == nil {
                let stored = SinkNames.stored(sinks[index][keyPath: name])
                guard let slot = free.first(where: { header.name(ofSlot: $0) == stored }) else { continue }
                let isElsewhere =
                    header.destinationID(ofSlot: slot) != 0 && identities[index] != 0
                    && sinks[index].sink.stateDirectory != directory
                // A program may give a log that it names itself another path. The name `file:` with the base name
                // shows nothing, and neither does a name that another program has chosen.
                if isElsewhere, !isMoved, sinks[index].sink.logFile != nil,
                    stored.hasPrefix("file:") || !header.isOfThisProgram
                {
                    hasNamesake = true
                    continue
                }
                take(slot, for: index)
                // A common console, for instance, does not make it a log of this pipeline.
                let isOfLog =
                    header.destination.isEmpty || sinks[index].sink.logFile != nil
                    || header.logSlot.map { header.destinationID(ofSlot: $0) == 0 } ?? true
                if isOfOurLog && isOfLog && !isElsewhere { isOurs = true }
            }
        }
    }

    /// Matches the other logs of a tree that was moved or copied, as the log next to the ring was, by their base names;
    /// the longest common end of the paths wins.
    private mutating func takeMovedLogs(_ sinks: [SinkState], in header: RingHeader) {
        var pairs: [(common: Int, index: Int, slot: Int)] = []
        for index in sinks.indices where slots[index] == nil {
            guard let log = sinks[index].sink.logFile else { continue }
            let path = log.path.split(separator: "/")
            for slot in free where header.name(ofSlot: slot).hasPrefix("file:/") {
                let old = header.name(ofSlot: slot).dropFirst("file:".count).split(separator: "/")
                let common = zip(path.reversed(), old.reversed()).prefix { $0 == $1 }.count
                if common > 0 { pairs.append((common, index, slot)) }
            }
        }
        while let best = pairs.max(by: { $0.common < $1.common }) {
            take(best.slot, for: best.index)
            pairs.removeAll { $0.index == best.index || $0.slot == best.slot }
        }
    }

    private mutating func take(_ slot: Int, for index: Int) {
        slots[index] = slot
        free.removeAll { $0 == slot }
    }
}
