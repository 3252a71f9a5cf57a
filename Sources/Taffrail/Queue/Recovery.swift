internal import CTaffrail
internal import Glibc

/// Drains the rings that dead runs left in a directory, before the writer's own.
///
/// A ring that cannot be drained wholly is left where it is, with what has been written booked in its header.
final class Recovery {
    private let directory: String
    private let destination: String?
    private let leavesProcessed: Bool
    private let ledgers: [LedgerFile]
    private var paths: [String]
    private var current: Current?
    /// What has been done, for whoever asks.
    private(set) var recovered = 0
    private(set) var refused: [String] = []
    private(set) var left: [String] = []

    private struct Current {
        let ring: DeadRing
        var position: UInt64
        var sequence: UInt64
        /// For each sink: its slot in the dead ring and its position there, or `nil` when it is not to be served.
        var places: [(slot: Int, position: UInt64)?]
        /// Sinks that are in the dead ring but not here: what they did not get.
        var gone: [(name: String, position: UInt64, missed: DropTally)]
        /// What processors dropped here.
        var filtered = DropTally()
        var isComplete = true
    }

    /// Looks for rings.
    ///
    /// - Parameters:
    ///   - directory: Where rings lie.
    ///   - destination: Only rings for this destination; `nil`: all.
    ///   - names: Only these files; `nil`: all.
    ///   - ownRun: The run that is not to be touched.
    ///   - leavesProcessed: Whether rings of programs with processors are left alone.
    ///   - ledgers: Where it is noted what is missing.
    init(
        directory: String, destination: String?, only names: [String]? = nil, except ownRun: RingID,
        leavesProcessed: Bool = false, ledgers: [LedgerFile] = []
    ) {
        self.leavesProcessed = leavesProcessed
        self.ledgers = ledgers
        self.directory = directory
        self.destination = destination
        Self.removeLeftovers(in: directory)
        paths = (names ?? Self.rings(in: directory)).filter { $0 != "\(ownRun).ring" }.map { directory + "/" + $0 }
    }

    /// Removes rings whose makers died before they had their name: nothing has been logged into them.
    private static func removeLeftovers(in directory: String) {
        for name in names(in: directory) where name.hasSuffix(".ring.tmp") {
            let path = directory + "/" + name
            let fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard fd >= 0 else { continue }
            if taffrail_lock_range(fd, CInt(TAFFRAIL_F_OFD_SETLK), 1, 0, 0) == 0 { unlink(path) }
            close(fd)
        }
    }

    /// The names of all rings in a directory, that of the run that started first in front.
    static func rings(in directory: String) -> [String] {
        let names = names(in: directory).filter { $0.hasSuffix(".ring") }
        guard names.count > 1 else { return names }
        return names.map { (RingHeader.start(of: directory + "/" + $0), $0) }.sorted { $0 < $1 }.map(\.1)
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// Goes on as far as it comes.
    ///
    /// - Returns: Whether all is done; otherwise a sink failed and it is to be called again later.
    func advance(sinks: inout [SinkState], processors: ProcessorChain, now: Int64) -> Bool {
        while true {
            if current == nil {
                guard openNext(sinks: sinks, processors) else { return true }
            }
            let isDone = drain(sinks: &sinks, processors: processors, now: now)
            current?.filtered.add(processors.takeDropped())
            guard isDone else { return false }
            finish(sinks: sinks)
        }
    }

    private func openNext(sinks: [SinkState], _ processors: ProcessorChain) -> Bool {
        while !paths.isEmpty {
            let path = paths.removeFirst()
            switch DeadRing.open(path) {
            case .alive: continue
            case .refused(let reason):
                refused.append(reason)
                Diagnostics.report("not recovered: \(reason)")
            case .dead(let ring):
                if leavesProcessed && ring.header.hasProcessors { continue }
                if let destination, ring.header.destination != RingHeader.storedName(destination, limit: 256) {
                    continue
                }
                if start(ring, sinks: sinks, processors) { return true }
            }
        }
        return false
    }

    private func start(_ ring: DeadRing, sinks: [SinkState], _ processors: ProcessorChain) -> Bool {
        let places = sinks.map { state -> (slot: Int, position: UInt64)? in
            guard let slot = ring.header.slot(named: state.sink.name) else { return nil }
            return (slot, state.sink.position(in: ring.header.run) ?? ring.header.position(ofSlot: slot))
        }
        guard places.contains(where: { $0 != nil }) else {
            left.append(ring.path)
            Diagnostics.report("\(ring.path) is left alone: none of its sinks is there")
            return false
        }
        let slots = places.compactMap { $0?.slot }
        let gone = (0..<RingHeader.sinkSlots).compactMap {
            slot -> (name: String, position: UInt64, missed: DropTally)? in
            let name = ring.header.name(ofSlot: slot)
            return name.isEmpty || slots.contains(slot) ? nil : (name, ring.header.position(ofSlot: slot), DropTally())
        }
        processors.resume(ring.header.run, countedUpTo: ring.header.filteredUpTo)
        current = Current(
            ring: ring, position: ring.header.head, sequence: ring.header.nextSequence, places: places, gone: gone)
        return true
    }

    /// Gives the current ring's records to the sinks. `false`: a sink failed and is to be tried again.
    private func drain(sinks: inout [SinkState], processors: ProcessorChain, now: Int64) -> Bool {
        while var work = current {
            let stretch: DeadRing.Stretch?
            var sequence = work.sequence
            do throws(SystemError) {
                stretch = try work.ring.next(from: work.position, sequence: &sequence)
            } catch {
                Diagnostics.report("not recovered to its end: \(error)")
                work.isComplete = false
                current = work
                return true
            }
            guard let stretch else { return true }
            for index in sinks.indices {
                guard let place = work.places[index], place.position < stretch.end else { continue }
                let position = deliver(
                    stretch, of: work.ring, from: place, through: processors, to: &sinks[index], now: now)
                work.places[index]?.position = position
                if position < stretch.end {
                    let othersGoOn = sinks.contains { $0.failure == nil }
                    let isLate = sinks[index].failure.map { now - $0.since > SinkState.patience } ?? false
                    guard othersGoOn && isLate else {
                        current?.places = work.places
                        return false
                    }
                    work.places[index] = nil
                    work.isComplete = false
                }
            }
            for index in work.gone.indices {
                let offset = Int(stretch.boundary(atOrBehind: work.gone[index].position) &- stretch.start)
                work.gone[index].missed.add(recordsAt: stretch.base + offset, length: stretch.length - offset)
            }
            recovered += stretch.count
            work.position = stretch.end
            work.sequence = sequence
            current = work
        }
        return true
    }

    /// Writes the part of a stretch that a sink does not have yet, and returns its new position.
    private func deliver(
        _ stretch: DeadRing.Stretch, of ring: DeadRing, from place: (slot: Int, position: UInt64),
        through processors: ProcessorChain, to state: inout SinkState, now: Int64
    ) -> UInt64 {
        var position = stretch.boundary(atOrBehind: place.position)
        let journal = ring.journal(slot: place.slot)
        while position < stretch.end {
            guard state.mayTry(at: now) else { return position }
            let offset = Int(position &- stretch.start)
            let batch = processors.process(
                RecordBatch(
                    base: UnsafeRawPointer(stretch.base + offset), length: stretch.length - offset,
                    run: ring.header.run,
                    count: RecordBatch.count(at: stretch.base + offset, length: stretch.length - offset),
                    start: position, journal: journal, tables: ring.tables))
            do throws(SinkError) {
                if batch.count > 0 { try state.sink.write(batch) }
                position = batch.end
                state.failure = nil
            } catch {
                position = batch.position(after: error.taken(of: batch.count) + (error.kind == .permanent ? 1 : 0))
                if error.kind == .temporary {
                    if state.failure == nil {
                        Diagnostics.report("sink \(state.sink.name): \(error.reason); trying again")
                    }
                    state.fail(error.reason, at: Clock.monotonicNanoseconds())
                    _ = journal.store(position)
                    return position
                }
                Diagnostics.report("sink \(state.sink.name) refuses a record for good: \(error.reason)")
            }
            guard journal.store(position) else {
                Diagnostics.report("\(ring.path) cannot be written: what follows may come twice")
                return position
            }
        }
        return position
    }

    /// Removes the current ring when everything in it has been written, and says what was lost.
    private func finish(sinks: [SinkState]) {
        guard let work = current else { return }
        current = nil
        var isFlushed = true
        for state in sinks {
            do throws(SinkError) { try state.sink.flush() } catch {
                isFlushed = false
                Diagnostics.report("sink \(state.sink.name) cannot flush: \(error.reason)")
            }
        }
        let header = work.ring.header
        let dropped = Level.allCases.reduce(UInt64(0)) { $0 &+ header.dropped($1) &- header.reportedDrops($1) }
        if dropped > 0 { Diagnostics.report("run \(header.run) dropped \(dropped) records before it ended") }
        if work.ring.damaged > 0 {
            Diagnostics.report("\(work.ring.path): \(work.ring.damaged) records are damaged and were left out")
        }
        for problem in work.ring.tableProblems { Diagnostics.report(problem) }
        // What a sink could not make durable may be nowhere else.
        if work.isComplete && isFlushed && isBooked(work) { work.ring.remove() } else { left.append(work.ring.path) }
    }

    /// Notes what is missing of a run that has been recovered, and that it is over.
    private func isBooked(_ work: Current) -> Bool {
        let header = work.ring.header
        for sink in work.gone where sink.missed.count > 0 {
            Diagnostics.report("run \(header.run): sink \(sink.name) is gone and missed \(sink.missed.count) records")
        }
        do throws(SystemError) {
            for file in ledgers {
                var book = try LedgerBook(file, ofDead: header)
                book.note(work.filtered, .processor)
                for sink in work.gone { book.note(sink.missed, .gone, sink: sink.name) }
                book.note(DropTally(UInt64(work.ring.damaged), level: nil), .damaged)
                try book.close(records: work.sequence &- 1)
            }
            return true
        } catch {
            Diagnostics.report("\(work.ring.path) stays, its end cannot be noted: \(error)")
            return false
        }
    }
}
