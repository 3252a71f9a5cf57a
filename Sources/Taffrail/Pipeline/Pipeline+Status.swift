extension Pipeline {
    /// An open queue, for those who report its state.
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
}
