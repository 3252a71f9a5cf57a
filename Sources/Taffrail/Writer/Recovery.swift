/// Delivers the records that dead runs left in their rings, before the writer's own records.
///
/// A ring is removed when every sink has all of it. If a sink fails to write it, the ring is closed, with the progress
/// stored in its header, and opened again for the next attempt; the other sinks do not wait for that.
package final class Recovery {
    /// The rings to recover, and the treatment of absent sinks.
    package struct Scope {
        /// The directories that contain rings and pointers to rings.
        var directories: [String]
        /// Only these rings; `nil`: all in the directories.
        var paths: [String]?
        /// A run to ignore.
        var ownRun = RingID.none
        /// Whether to ignore rings in which no sink of this pipeline is known by its destination: those of other
        /// programs.
        var isOursOnly = false
        /// Whether to keep rings of programs with processors if there are none here.
        package var leavesProcessed = false
        /// Whether to keep a ring if some of its sinks are missing; rings of other programs are always kept.
        package var keepsAbsent = false
        /// The absent sinks whose records are dropped.
        package var dropped: Set<String> = []
        /// The ledgers in which missing records are recorded, in addition to the one in the directory of each ring.
        package var ledgers: [LedgerFile] = []

        package init(directories: [String], paths: [String]? = nil) {
            self.directories = directories
            self.paths = paths
        }
    }

    private let scope: Scope
    private var paths: [String]
    /// Rings whose records require processors that this program does not have yet.
    private var unprocessed: [String] = []
    /// Rings whose free pages were returned to a full disk.
    private var released: [String] = []
    /// The sinks, by their indices, that did not accept all of one ring: they get nothing of later rings now.
    private var blocked: [Int] = []
    /// Rings to try again: those that a sink failed to write, in order, and those that waited for processors.
    private var unfinished: [String] = []
    /// For rings that a sink failed to write: the records whose drops by processors have been counted.
    private var counted: [(path: String, drops: CountedDrops)] = []
    /// The time since which retried rings have been locked.
    private var locked: [(path: String, since: Int64)] = []
    /// How long a retried ring may be locked, in nanoseconds, before it is left to the process that holds the lock.
    static let lockPatience: Int64 = 10_000_000_000
    /// The number of records that each sink has written, by its name.
    package private(set) var delivered: [String: UInt64] = [:]
    package private(set) var refused: [String] = []
    package private(set) var left: [String] = []
    /// The undelivered records for absent sinks.
    package private(set) var waiting: [(ring: String, sink: String, records: UInt64)] = []

    /// Whether every ring has been processed and no sink lacks records, except of rings that wait for processors.
    package var isDone: Bool { paths.isEmpty && unfinished.isEmpty }

    /// Retries rings that wait for processors, because the processors have changed, and counts again what the new
    /// ones drop of the other rings' records.
    func noteNewProcessors() {
        unfinished += unprocessed
        left.removeAll { unprocessed.contains($0) }
        unprocessed = []
        for index in counted.indices { counted[index].drops = CountedDrops(upTo: 0) }
    }

    /// Looks for rings.
    package init(_ scope: Scope) {
        self.scope = scope
        // Rings whose creators died before naming them contain no records.
        for directory in scope.directories {
            for name in Directory.names(in: directory) where name.hasSuffix(".ring.tmp") {
                let path = directory + "/" + name
                guard let file = try? FileDescriptor(path, [.readWrite, .ownFile]) else { continue }
                if (try? FileLock.tryAcquire(file, start: 0, length: 0)) == true { try? FileName.remove(path) }
            }
        }
        paths = (scope.paths ?? Self.paths(in: scope.directories)).filter { !$0.hasSuffix("/\(scope.ownRun).ring") }
    }

    /// Returns the paths of all rings in some directories, or pointed to from there, oldest run first.
    package static func paths(in directories: [String]) -> [String] {
        var rings: [(start: Int64, path: String)] = []
        for directory in directories {
            let here = Directory.names(in: directory).filter { $0.hasSuffix(".ring") }.map { directory + "/" + $0 }
            for path in here + RingPointer.rings(in: directory) where !rings.contains(where: { $0.path == path }) {
                let ring = (start: RingHeader.start(of: path), path: path)
                rings.insert(ring, at: rings.firstIndex { $0 > ring } ?? rings.count)
            }
        }
        return rings.map(\.path)
    }

    /// Returns the command that delivers the records of a ring to the sinks of a configuration.
    package static func command(forRing path: String) -> String {
        let directory = Directory.parent(of: path) ?? "/"
        // The ring of a program with `queue.directory` is not in a log directory.
        let logs = directory.hasSuffix("/.taffrail") ? String(directory.dropLast("/.taffrail".count)) : directory
        return "taffrail recover \(logs.isEmpty ? "/" : logs) --config FILE"
    }

    // MARK: Rings

    /// Delivers as much as the sinks accept, at a time of the monotonic clock.
    ///
    /// - Returns: `true` while no sink may get the writer's own records. On `false`, sinks that still lack records of
    ///   dead runs are late (``SinkState/isLate``).
    @discardableResult
    package func advance(
        sinks: inout [SinkState], processors: ProcessorChain, now: Int64 = SystemClock.monotonicNanoseconds()
    ) -> Bool {
        blocked = []
        if !unfinished.isEmpty {
            guard sinks.contains(where: { $0.isLate && $0.mayTry(at: now) }) || !sinks.contains(where: \.isLate) else {
                return areWaiting(sinks)
            }
            let again = unfinished
            unfinished = []
            for path in again { drain(path, isAgain: true, &sinks, processors, now) }
        }
        while !paths.isEmpty, blocked.count < max(1, sinks.count) {
            drain(paths.removeFirst(), &sinks, processors, now)
        }
        for index in sinks.indices { sinks[index].isLate = blocked.contains(index) }
        return areWaiting(sinks)
    }

    private func areWaiting(_ sinks: [SinkState]) -> Bool {
        !isDone && !(paths.isEmpty && sinks.contains { !$0.isLate })
    }

    private func drain(
        _ path: String, isAgain: Bool = false, _ sinks: inout [SinkState], _ processors: ProcessorChain, _ now: Int64
    ) {
        let ring: RingFile
        switch RingFile.open(path) {
        case .readable(let found): ring = found
        case .gone: return
        case .locked:
            if isAgain { awaitLock(of: path, &sinks, now) }
            return
        case .refused(let reason, _):
            refused.append(reason)
            Diagnostics.report("not recovered: \(reason)")
            return
        }
        locked.removeAll { $0.path == path }
        var work = RecoveredRing(ring, sinks, scope)
        guard !scope.isOursOnly || work.match.isOurs else {
            // Rings of other programs are left to those programs.
            if ring.header.isOfThisProgram { Diagnostics.report("\(ring.path) is kept: \(work.reasonWithoutSinks)") }
            return
        }
        guard work.sinkProgress.contains(where: { $0 != nil }) || (work.keepsAbsent && !work.absent.isEmpty) else {
            Diagnostics.report("\(ring.path) is kept: \(work.reasonWithoutSinks)")
            left.append(ring.path)
            return
        }
        if let obstacle = work.obstacle(sinks, processors, scope) {
            Diagnostics.report("\(ring.path) is kept: \(obstacle)")
            unprocessed.append(ring.path)
            left.append(ring.path)
            return
        }
        // Once, because it reads the whole ring.
        if !released.contains(path), ring.releaseFreePages() { released.append(path) }
        var drops = counted.first { $0.path == path }?.drops ?? work.delivery.counted
        drops.add(from: 0, to: work.start)
        work.delivery.setCounted(drops)
        counted.removeAll { $0.path == path }
        let isComplete = deliver(&work, to: &sinks, processors, now)
        let lagging = work.sinkProgress.indices.filter { work.sinkProgress[$0].map { $0.position < work.end } ?? false }
        guard lagging.isEmpty || !isComplete else {
            block(lagging)
            work.delivery.books.writeAll()
            unfinished.append(path)
            counted.append((path, work.delivery.counted))
            return
        }
        finish(&work, sinks, isComplete: isComplete)
    }

    private func block(_ indices: [Int]) {
        for index in indices where !blocked.contains(index) { blocked.append(index) }
    }

    /// Keeps a locked ring for the next attempt: a child of this process holds a copy of the lock until it executes its
    /// program. Another process that has it will deliver its records.
    private func awaitLock(of path: String, _ sinks: inout [SinkState], _ now: Int64) {
        let start = locked.first { $0.path == path }?.since ?? now
        locked.removeAll { $0.path == path }
        guard now - start < Self.lockPatience else { return }
        locked.append((path, start))
        unfinished.append(path)
        for index in sinks.indices where sinks[index].isLate {
            block([index])
            if let reason = sinks[index].failure?.reason { sinks[index].fail(reason, at: now) }
        }
    }

    /// Delivers a ring's records to the sinks that are not blocked. Returns `false` when the ring cannot be read to its
    /// end.
    private func deliver(
        _ work: inout RecoveredRing, to sinks: inout [SinkState], _ processors: ProcessorChain, _ now: Int64
    ) -> Bool {
        var position = work.ring.header.head
        // After a failure a sink gets no later records.
        var failed = blocked
        while true {
            let stretch: RecordBatch?
            do throws(SystemError) {
                stretch = try work.ring.next(from: position, sequence: &work.sequence)
            } catch {
                Diagnostics.report("not recovered completely: \(error)")
                return false
            }
            guard let stretch else { return true }
            work.end = stretch.end
            work.delivery.counted.skip(from: position, to: stretch.start)
            for index in sinks.indices {
                guard let progress = work.sinkProgress[index], !failed.contains(index) else { continue }
                // With its progress in this ring.
                var state = sinks[index]
                state.progress = progress
                work.delivery.countWithheld(in: stretch, from: &state)
                let before = work.ring.header.written(inSlot: progress.slot)
                var accepts = state.mayTry(at: now)
                while accepts, state.progress.position < stretch.end {
                    let part = stretch.part(from: state.progress.position, checkpoint: progress.checkpoint)
                    guard part.count > 0 else { break }
                    accepts = work.delivery.deliver(part, to: &state, through: processors)
                }
                delivered[state.name, default: 0] &+= work.ring.header.written(inSlot: progress.slot) &- before
                if state.progress.position < stretch.end { failed.append(index) }
                work.sinkProgress[index] = state.progress
                state.progress = sinks[index].progress
                sinks[index] = state
            }
            work.skip(stretch, processors)
            position = stretch.end
        }
    }

    /// Removes a ring when all of it has been written, and reports losses.
    private func finish(_ work: inout RecoveredRing, _ sinks: [SinkState], isComplete: Bool) {
        var isDurable = true
        for (index, state) in sinks.enumerated() where work.sinkProgress[index] != nil {
            do throws(SinkError) {
                try state.sink.flush()
            } catch {
                isDurable = false
                if error.kind == .permanent { work.delivery.table.setHasLostWrites() }
                Diagnostics.report("sink \(state.name) cannot flush: \(error.reason)")
            }
        }
        work.reportLosses()
        work.giveUp(scope.dropped)
        let kept = work.keepsAbsent ? work.absent.filter { $0.tally.missed.count > 0 } : []
        for sink in kept {
            waiting.append((work.ring.path, sink.name, sink.tally.missed.count))
            if !scope.keepsAbsent { work.reportKept(sink) }
        }
        guard isComplete, isDurable, kept.isEmpty, work.book() else {
            work.delivery.books.writeAll()
            if kept.isEmpty { left.append(work.ring.path) }
            return
        }
        if work.ring.header.hasLostWrites {
            Diagnostics.report(
                "the system could not write all that run \(work.ring.header.run) logged to the disk; "
                    + "after a restart of the machine \"taffrail tail --verify\" shows whether lines are missing")
        }
        // Pointers are removed first: a pointer to a removed ring would stay for months.
        RingPointer.remove(
            ofRing: work.ring.path, work.ring.header.run,
            in: scope.directories + SinkNames.stateDirectories(of: sinks.map(\.sink)))
        try? FileName.remove(work.ring.path)
    }
}
