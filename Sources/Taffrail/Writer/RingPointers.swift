/// Keeps the pointers to a writer's ring in other directories, where later runs find it. Confined to the writer thread.
struct RingPointers {
    private let path: String
    private let run: RingID
    /// The state directories of the sinks, without the ring's own.
    private var directories: [String] = []
    /// The directory of queues that the next run will have, according to a changed configuration; `nil` if that is the
    /// ring's.
    private var nextQueue: String?
    /// The directories that have a pointer.
    private var written: [String] = []
    /// Whether the ring's list has them.
    private var areListed = true
    /// When missing pointers are written again, on the monotonic clock.
    private var due: Int64 = 0

    /// `nil` for a ring in memory.
    init?(to ring: Ring) {
        guard let path = ring.path else { return nil }
        self.path = path
        run = ring.run
    }

    /// The directories that should have a pointer.
    private var wanted: [String] {
        guard let nextQueue, !directories.contains(nextQueue) else { return directories }
        return directories + [nextQueue]
    }

    /// Stores pointers in the state directories of the sinks, and removes those of former sinks.
    mutating func store(for sinks: [any Sink]) {
        directories = SinkNames.stateDirectories(of: sinks).filter { $0 != Directory.parent(of: path) }
        replace()
    }

    /// Stores a pointer in the directory of queues of the next run, if it exists and differs from the ring's;
    /// `nil`: in none.
    mutating func setNextQueue(_ directory: String?) {
        // Without a slash at the end, like the other directories.
        var next = directory.flatMap { Directory.parent(of: $0 + "/ring") }
        if next == Directory.parent(of: path) { next = nil }
        guard next != nextQueue else { return }
        nextQueue = next
        replace()
    }

    private mutating func replace() {
        var now: [String] = []
        for directory in wanted where directories.contains(directory) || Directory.exists(directory) {
            do throws(SystemError) {
                try RingPointer.write(ring: path, run: run, in: directory)
                now.append(directory)
            } catch {
                Diagnostics.report(
                    "a later run may not find undelivered records of this run for \(directory): \(error)")
            }
        }
        RingPointer.remove(run, in: written.filter { !now.contains($0) })
        set(now)
    }

    private mutating func set(_ now: [String]) {
        guard now != written || !areListed else { return }
        written = now
        do throws(SystemError) {
            try RingPointer.list(written, besideRing: path, run)
            areListed = true
        } catch {
            if areListed {
                Diagnostics.report("records left in this run's queue may be missing from a ledger: \(error)")
            }
            areListed = false
        }
    }

    /// Writes pointers that are missing or damaged, at most once a second: a directory could not be written, or was
    /// created again.
    mutating func keep(at now: Int64) {
        guard now >= due else { return }
        let wanted = wanted
        guard !wanted.isEmpty else { return }
        due = now + 1_000_000_000
        var all = written
        for directory in wanted where RingPointer.ring(of: run, in: directory) != path {
            // The directory of a sink is not recreated here, nor is a directory of queues.
            let needed = directories.contains(directory) ? Directory.parent(of: directory) : directory
            guard let needed, Directory.exists(needed),
                (try? RingPointer.write(ring: path, run: run, in: directory)) != nil
            else { continue }
            if !all.contains(directory) { all.append(directory) }
        }
        set(all)
    }

    /// Removes the pointers: the ring has no more records.
    func remove() { RingPointer.remove(ofRing: path, run, in: written) }
}
