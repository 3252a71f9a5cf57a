extension Pipeline {
    /// The open queue and where its sinks keep their status files; `nil` while no queue is open, and while one is being
    /// opened or closed. Its header stays readable when the queue is closed.
    package var openQueue: (header: RingHeader, path: String?, statusDirectories: [String])? {
        let deadline = SystemClock.monotonicNanoseconds() + 100_000_000
        return control.lock.withLock(until: deadline) { () -> (RingHeader, String?, [String])? in
            guard control.state == .open, let ring else { return nil }
            var directories = SinkNames.stateDirectories(of: liveSinks.map(\.sink))
            if let directory = storage.directory, !directories.contains(directory) { directories.append(directory) }
            return (ring.header, ring.path, directories)
        } ?? nil
    }
}
