/// The sinks of a run according to its ring's header, for a reader that searches for the sink of a log.
package struct RingSinks: Sendable {
    /// A log's part of a ring.
    package struct Share: Sendable, Equatable {
        /// The share in a ring whose header does not name the log's sink.
        package static let unknown = Share(slot: nil)

        /// The slot of the sink that writes the log; `nil` if the header of a ring for the log does not name it.
        package let slot: Int?
    }

    private struct Entry: Sendable {
        let slot: Int
        let name: String
        let destination: UInt64
    }

    private let directory: String
    private let run: RingID
    /// The base name of the run's first log.
    private let destination: String
    private let logSlot: Int?
    private let entries: [Entry]

    /// - Parameter directory: The directory of the ring.
    package init(_ header: RingHeader, ringIn directory: String) {
        self.directory = directory
        run = header.run
        destination = header.destination
        logSlot = header.logSlot
        entries = (0..<RingHeader.sinkSlots).filter(header.hasSink).map { slot in
            Entry(slot: slot, name: header.name(ofSlot: slot), destination: header.destinationID(ofSlot: slot))
        }
    }

    /// Returns a log's part; `nil` if the run does not write it.
    ///
    /// - Parameter path: The live file's absolute path.
    package func share(ofLog path: String) -> Share? {
        let id = Self.destinationID(ofLog: path)
        if let entry = entries.first(where: { $0.destination == id }) { return Share(slot: entry.slot) }
        if let slot = slot(ofMovedLog: path) { return Share(slot: slot) }
        // A log that was moved or copied together with its ring, or whose run did not note destinations.
        guard let home = Directory.parent(of: path), directory == Directory.path(".taffrail", in: home) else {
            return nil
        }
        let base = FileName.base(of: path)
        let named = entries.first { $0.name == SinkNames.stored("file:" + base) }
        if destination == RingHeader.storedDestination(base) { return Share(slot: logSlot ?? named?.slot) }
        // Or the first log was elsewhere when the run wrote it.
        guard let named, named.destination == 0 || hasFirstLog(in: home) != true else { return nil }
        return Share(slot: named.slot)
    }

    /// Returns the slot of a log whose directory was moved since the run wrote it, but not the ring: the directory has
    /// the run's pointer, which was not stored there, and the one in which the run wrote the log no longer has it.
    ///
    /// - Parameter path: The live file's absolute path.
    /// - Returns: `nil` also if the run had several such logs of that name.
    func slot(ofMovedLog path: String) -> Int? {
        guard let home = Directory.parent(of: path) else { return nil }
        let (base, state) = (FileName.base(of: path), Directory.path(".taffrail", in: home))
        let name = "\(run).ring"
        guard state != directory, RingPointer.ring(of: run, in: state)?.hasSuffix("/" + name) == true else {
            return nil
        }
        let ring = Directory.path(name, in: directory)
        let listed = RingPointer.listed(besideRing: ring, run).map(DestinationPath.resolved)
        guard !listed.isEmpty, !listed.contains(DestinationPath.resolved(state)) else { return nil }
        // A log that is still where it was written has been copied.
        let present = (RingPointer.directories(ofRing: ring, run) + [directory]).compactMap(Directory.parent(of:))
            .map { Self.destinationID(ofLog: Directory.path(base, in: $0)) }
        let moved = entries.filter { entry in
            guard entry.destination != 0, !present.contains(entry.destination) else { return false }
            if entry.slot == logSlot { return destination == RingHeader.storedDestination(base) }
            return entry.name == SinkNames.stored("file:" + base)
                || entry.name.hasPrefix("file:/") && FileName.base(of: entry.name) == base
        }
        return moved.count == 1 ? moved[0].slot : nil
    }

    /// Returns whether the first log was moved to a directory since the run wrote it, but not the ring.
    package func hasMovedFirstLog(to home: String) -> Bool {
        logSlot != nil && slot(ofMovedLog: Directory.path(destination, in: home)) == logSlot
    }

    /// Returns the base names of a directory's logs that the run writes, as far as the names of its sinks show them.
    package func logs(in directory: String) -> [(base: String, share: Share)] {
        let names = entries.filter { $0.name.hasPrefix("file:") }.map { String($0.name.dropFirst("file:".utf8.count)) }
        var bases: [String] = []
        for name in [destination] + names where !name.isEmpty && !name.contains("/") && !bases.contains(name) {
            bases.append(name)
        }
        return bases.compactMap { base in share(ofLog: Directory.path(base, in: directory)).map { (base, $0) } }
    }

    /// Returns whether the run has no log, and its ring is in a directory.
    package func hasNoLog(in directory: String) -> Bool { destination.isEmpty && self.directory == directory }

    /// Returns whether the run wrote its first log in a directory; `nil` if the header does not show that.
    package func hasFirstLog(in home: String) -> Bool? {
        guard let first = entries.first(where: { $0.slot == logSlot }), first.destination != 0 else { return nil }
        return first.destination == Self.destinationID(ofLog: Directory.path(destination, in: home))
    }

    private static func destinationID(ofLog path: String) -> UInt64 {
        SinkNames.destinationID(of: [DestinationPath.resolved(path)])
    }
}
