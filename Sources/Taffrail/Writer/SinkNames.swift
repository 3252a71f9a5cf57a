/// The names under which rings and ledgers know the sinks of a pipeline, and what tells their destinations apart.
package enum SinkNames {
    /// A name for each sink as a ring's header has it, none twice. A sink has its own name; of log files with one base name the first one has it,
    /// and the others are named by their paths.
    package static func unique(for sinks: [any Sink]) -> [String] {
        var names: [String] = []
        var stored: Set<String> = []
        for sink in sinks {
            var name = Self.stored(sink.name)
            if stored.contains(name), let log = sink as? any LogFile { name = Self.stored("file:" + log.path) }
            let plain = name
            var number = 2
            while !stored.insert(name).inserted {
                name = Self.stored("\(plain)#\(number)")
                number += 1
            }
            names.append(name)
        }
        return names
    }

    /// What of a name a ring's header has.
    static func stored(_ name: String) -> String { RingHeader.storedName(name, limit: RingHeader.nameLength) }

    /// A number for where a sink writes, the same in every run; 0 where it has not said where.
    static func destinationID(of sink: any Sink) -> UInt64 {
        // A directory that is missing is made first: symbolic links in its path are followed then.
        _ = sink.stateDirectory
        let destinations = sink.destinations
        guard !destinations.isEmpty else { return 0 }
        // FNV-1a: not `Hasher`, which has another seed in each process.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for destination in destinations {
            for byte in destination.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = hash &* 0x100_0000_01B3
        }
        return hash == 0 ? 1 : hash
    }

    /// The state directories of some sinks, each once, in their order.
    static func stateDirectories(of sinks: [any Sink]) -> [String] {
        var directories: [String] = []
        for sink in sinks {
            guard let directory = sink.stateDirectory, !directories.contains(directory) else { continue }
            directories.append(directory)
        }
        return directories
    }
}

/// Which sinks of a pipeline are those of a dead run's ring.
package struct SinkMatch {
    /// For each sink of the pipeline its slot in the ring; `nil` where the run did not have it.
    package private(set) var slots: [Int?]
    /// Whether the ring is that of a run which wrote to a destination of this pipeline: not that of another program
    /// which has only a kind of sink in common with it.
    private(set) var isOurs = false

    /// Compares by destination, then by name: a log may have been moved together with its ring, and old rings have
    /// names only.
    package init(_ sinks: [SinkState], in header: RingHeader, directory: String) {
        slots = Array(repeating: nil, count: sinks.count)
        let identities = sinks.map { SinkNames.destinationID(of: $0.sink) }
        var free = (0..<RingHeader.sinkSlots).filter(header.hasSink)
        func take(_ slot: Int, for index: Int) {
            slots[index] = slot
            free.removeAll { $0 == slot }
        }
        // The log that the ring lies beside, wherever that is now.
        if let slot = header.logSlot, free.contains(slot) {
            let index = sinks.indices.first { index in
                guard slots[index] == nil, let log = sinks[index].sink as? any LogFile else { return false }
                return log.stateDirectory == directory
                    && header.destination == RingHeader.storedName(log.destination, limit: 256)
            }
            if let index {
                take(slot, for: index)
                isOurs = true
            }
        }
        for index in sinks.indices where identities[index] != 0 && slots[index] == nil {
            guard let slot = free.first(where: { header.destinationID(ofSlot: $0) == identities[index] }) else {
                continue
            }
            take(slot, for: index)
            if header.destination.isEmpty || sinks[index].sink.stateDirectory != nil { isOurs = true }
        }
        let base = sinks.lazy.compactMap { ($0.sink as? any LogFile)?.destination }.first ?? ""
        let isOfOurLog =
            header.destination.isEmpty || header.destination == RingHeader.storedName(base, limit: 256)
        for name in [\SinkState.name, \SinkState.sink.name] {
            for index in sinks.indices where slots[index] == nil {
                let stored = SinkNames.stored(sinks[index][keyPath: name])
                guard let slot = free.first(where: { header.name(ofSlot: $0) == stored }) else { continue }
                take(slot, for: index)
                let isElsewhere =
                    header.destinationID(ofSlot: slot) != 0 && identities[index] != 0
                    && sinks[index].sink.stateDirectory != directory
                // That both have a console, for instance, makes a log no log of ours.
                let isOfLog =
                    header.destination.isEmpty || sinks[index].sink is any LogFile
                    || header.logSlot.map { header.destinationID(ofSlot: $0) == 0 } ?? true
                if isOfOurLog && isOfLog && !isElsewhere { isOurs = true }
            }
        }
    }
}
