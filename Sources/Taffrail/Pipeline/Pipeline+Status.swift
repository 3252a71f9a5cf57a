internal import Synchronization

extension Pipeline {
    /// An open queue, for reports of its state.
    package struct OpenQueue {
        /// The header of its ring, which stays readable when the queue is closed.
        package let header: RingHeader
        /// The ring's file; `nil` for a ring in memory.
        package let path: String?
        /// Where its sinks keep their status files.
        package let statusDirectories: [String]
    }

    /// The open queue; `nil` while none is open, and while one is being opened or closed.
    package var openQueue: OpenQueue? {
        let deadline = SystemClock.monotonicNanoseconds() + 100_000_000
        return control.lock.withLock(until: deadline) { () -> OpenQueue? in
            guard control.state == .open, let ring else { return nil }
            var directories = SinkNames.stateDirectories(of: liveSinks.map(\.sink))
            if let directory = storage.directory, !directories.contains(directory) { directories.append(directory) }
            return OpenQueue(header: ring.header, path: ring.path, statusDirectories: directories)
        } ?? nil
    }

    /// The current levels.
    package var currentLevels: (root: Level, byName: [String: Level]) {
        prepare()
        return control.registryLock.withLock { (loggers.levels.root, loggers.levels.byName) }
    }

    /// The state directory of this run, the run, and its ring's file, if it has one; `nil` before the first record and
    /// after the end.
    package var runState: (directory: String?, run: RingID, ring: String?)? {
        control.lock.withLock {
            guard control.state == .open, let ring else { return nil }
            return (storage.directory, ring.run, ring.path)
        }
    }

    /// Whether queued records survive SIGKILL. `false` before the first record and after the end. Takes no lock.
    package var isDurable: Bool { durableRing != nil }

    /// The number of the open ring if it survives SIGKILL, else `nil`. If the number is the same before and after a record
    /// is logged, the record is in that ring. Takes no lock.
    package var durableRing: UInt64? {
        let number = ringNumber.load(ordering: .acquiring)
        return control.state == .open && number & 1 == 1 ? number : nil
    }

    /// The ring's file, in which unwritten records wait for a recovery; `nil` if it is in memory, and before the first
    /// record.
    package var ringPath: String? { control.lock.withLock { ring?.path } }

    /// The number of records of this run that the sink with the most losses has lost: refused permanently, or freed
    /// while it failed.
    package var lostBySinks: UInt64 {
        guard let header = control.header else { return 0 }
        return (0..<RingHeader.sinkSlots).reduce(0) { max($0, header.lost(inSlot: $1)) }
    }

    /// Whether a log call has timed out waiting for the writer, which has not progressed since.
    package var isStuck: Bool { control.isStuck }
}
