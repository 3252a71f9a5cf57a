/// The names of a pipeline's sinks in rings and ledgers, and the numbers that distinguish their destinations.
package enum SinkNames {
    /// Returns a unique name for each sink, as stored in a ring's header. A sink keeps its own name; of log files with
    /// the same base name the first one keeps it, and the others are named by their paths.
    package static func unique(for sinks: [any Sink]) -> [String] {
        var names: [String] = []
        for sink in sinks {
            var name = Self.stored(sink.name)
            if names.contains(name), let log = sink.logFile { name = Self.stored("file:" + log.path) }
            let plain = name
            var number = 2
            while names.contains(name) {
                name = Self.stored("\(plain)#\(number)")
                number += 1
            }
            names.append(name)
        }
        return names
    }

    /// Returns a name as stored in a ring's header.
    package static func stored(_ name: String) -> String { RingHeader.storedName(name, limit: RingHeader.nameLength) }

    /// Returns a number for the destination of a sink, the same in every run; 0 if it has none.
    static func destinationID(of sink: any Sink) -> UInt64 {
        // Create a missing directory first, so that symbolic links in its path are resolved.
        _ = sink.stateDirectory
        // For a sink that keeps its data on disk only the path counts: the address to which it sends may change.
        let paths = sink.destinations.filter { $0.hasPrefix("/") }
        return destinationID(of: paths.isEmpty ? sink.destinations : paths)
    }

    /// Returns the number of these destinations; 0 for none.
    static func destinationID(of destinations: [String]) -> UInt64 {
        guard !destinations.isEmpty else { return 0 }
        // Each ends with a NUL.
        let hash = destinations.reduce(StableHash.empty) { hash, destination in
            StableHash.fnv1a(CollectionOfOne(0), after: StableHash.fnv1a(destination.utf8, after: hash))
        }
        return hash == 0 ? 1 : hash
    }

    /// Returns the state directories of some sinks, each once, in order.
    static func stateDirectories(of sinks: [any Sink]) -> [String] {
        var directories: [String] = []
        for case let directory? in sinks.map(\.stateDirectory) where !directories.contains(directory) {
            directories.append(directory)
        }
        return directories
    }
}
