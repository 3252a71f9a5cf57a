internal import Taffrail

/// The state of an open spool, for one thread at a time.
struct SpoolState {
    let options: SpoolOptions
    private let now: @Sendable () -> Int64
    var book = SinkBook.none
    private(set) var marks = SpoolMarks()
    /// What the sink continues with; its generation is 0 for a sink that sends the records of the queue.
    private(set) var kept = SpoolKept()
    private(set) var view: SpoolView
    /// The sum of the segments' sizes.
    private(set) var total: Int64 = 0

    private var lock: SpoolLock?
    private var isClosed = false
    /// The last segment.
    private var active: SpoolSegment?
    /// Segments before it that a flush has to synchronise.
    private var unsynchronized: [SpoolSegment] = []
    private var isDirectoryChanged = false
    private var cursorFile: SpoolCursorFile?
    private var generation: UInt64 = 0
    private var isCursorChanged = false
    private var keptFile: SpoolKeptFile?
    private var isKeptChanged = false
    /// The highest number that a segment has had.
    private var lastNumber: UInt64 = 0
    /// The dead letters that were appended last, by ``DeadLetters/id(of:)``; 0: not known.
    private var lastAgain: UInt64 = 0
    /// Losses before it are in the ledger.
    private var notedUpTo = SpoolPlace()
    /// The frame at the end of the spool, if it counts what was dropped.
    private var dropped: (frame: SpoolFrame, offset: Int64)?
    /// When what was dropped is put into the ledger, ns since 1970.
    private var noteDue = Int64.min
    /// When the segments were looked for last, ns since 1970.
    private var lookedAt: Int64 = 0

    /// How long drops are counted before they are put into the ledger.
    private static let noteInterval: Int64 = 1_000_000_000

    init(_ options: SpoolOptions, now: @escaping @Sendable () -> Int64) {
        self.options = options
        self.now = now
        view = SpoolView(directory: options.directory, segments: [], cursor: SpoolCursor())
    }

    private var directory: String { options.directory }

    // MARK: Opening

    mutating func open() throws(SinkError) {
        guard active == nil else { return }
        guard !isClosed else { throw .temporary("\(directory) is closed") }
        do throws(SystemError) {
            try Directory.prepare(directory)
            let lock = try SpoolLock(directory)
            do throws(SystemError) { try read() } catch {
                lock.release()
                throw error
            }
            self.lock = lock
        } catch {
            active = nil
            throw .temporary(error.isBusy ? "\(directory) is in use by another process" : "cannot open: \(error)")
        }
    }

    private mutating func read() throws(SystemError) {
        let numbers = try SpoolSegment.numbers(in: directory)
        cursorFile = try SpoolCursorFile(directory: directory)
        let stored = SpoolCursorFile.read(directory: directory)
        generation = stored?.generation ?? 0
        view.cursor = stored?.cursor ?? SpoolCursor()
        lastNumber = max(lastNumber, numbers.last ?? 0, view.cursor.place.segment, view.cursor.flying?.segment ?? 0)
        view.segments = []
        for number in numbers {
            // A segment that is gone, or cannot be opened, must not keep the rest from being sent.
            guard let status = try? FileStatus.of(SpoolSegment.path(number, in: directory)), status.isRegular else {
                continue
            }
            view.segments.append(SpoolView.Segment(number: number, size: status.size, newest: status.modified))
        }
        let scan = try SpoolScan(&view.segments, in: directory)
        let known = marks
        marks = scan.marks
        for mark in known.all where (marks[mark.run]?.sequence ?? 0) < mark.sequence { marks.set(mark) }
        readKept(scan)
        active = scan.active
        dropped = scan.dropped
        lastAgain = scan.lastAgain
        total = view.segments.reduce(0) { $0 + $1.size }
        if let last = view.segments.last {
            // After a power loss the cursor may be newer than the records.
            let end = SpoolPlace(segment: last.number, offset: last.size)
            view.cursor.place = min(view.cursor.place, end)
            if let flying = view.cursor.flying, flying > end { view.cursor.flying = nil }
        }
        notedUpTo = view.cursor.flying ?? view.cursor.place
        if options.whenFull == .dropOldest || options.age != nil { view.noteDropsAfterFlying() }
        if active == nil { try addSegment() }
        // Before anything is added: what is added must not be taken for what was there before.
        if let stored, stored.cursor != view.cursor {
            generation &+= 1
            try cursorFile?.write(view.cursor, generation: generation)
            try cursorFile?.synchronize()
        }
        removeSettled()
    }

    /// Takes the newest of what a frame, the file and this program have.
    private mutating func readKept(_ scan: SpoolScan) {
        keptFile = nil
        let stored = SpoolKeptFile.read(directory: directory)
        if let stored {
            if stored.generation > kept.generation { (kept.generation, kept.state) = (stored.generation, stored.state) }
            kept.marks.merge(stored.marks)
        }
        if let found = scan.state, found.generation > kept.generation {
            (kept.generation, kept.state) = (found.generation, found.bytes)
        }
        if kept.generation > 0 { kept.marks.merge(marks) }
    }

    /// Begins again when another program has deleted the last segment, and records what was in it.
    private mutating func findDeleted() throws(SinkError) {
        lookedAt = now()
        guard let active, let info = view.segments.last, let status = try? active.file.status(), status.links == 0
        else { return }
        var losses: [SpoolLoss] = []
        if info.number >= view.cursor.place.segment { losses = SpoolLoss.all(in: active, info, of: view, .deleted) }
        for other in view.segments.dropLast() where other.number >= view.cursor.place.segment {
            guard !FileName.exists(SpoolSegment.path(other.number, in: directory)) else { continue }
            // How many records it had is not known.
            losses.append(SpoolLoss(loss: .deleted, run: marks.all.last?.run ?? .none, count: 1))
        }
        for loss in losses { try loss.note(in: book) }
        Diagnostics.report("segments in \(directory) were deleted by another program")
        self.active = nil
        lock?.release()
        lock = nil
        cursorFile = nil
        keptFile = nil
        unsynchronized = []
        dropped = nil
        try open()
        guard let first = view.segments.first, let last = view.segments.indices.last else { return }
        // What it had is in the ledger.
        view.segments[last].isAfterDrop = true
        guard !view.segments.contains(where: { $0.number == view.cursor.place.segment }) else { return }
        view.cursor = SpoolCursor(place: SpoolPlace(segment: first.number))
        notedUpTo = view.cursor.place
        storeCursor()
    }

    mutating func close() {
        try? noteDropped(force: true)
        try? flush()
        isClosed = true
        active = nil
        lock?.release()
        lock = nil
        cursorFile = nil
        keptFile = nil
        unsynchronized = []
    }

    // MARK: Appending

    mutating func append(_ header: SpoolFrame, _ payload: borrowing [UInt8]) throws(SinkError) {
        _ = try append(header, payload, nil)
    }

    /// Appends what a sink has made of a batch, or stores only what it continues with where nothing is to be sent.
    mutating func append(
        _ header: SpoolFrame, _ payload: borrowing [UInt8], upTo sequence: UInt64, keeping state: [UInt8]
    ) throws(SinkError) {
        try open()
        var next = kept
        next.marks.set(SpoolMarks.Mark(run: header.run, position: header.position, sequence: sequence))
        next.generation += 1
        next.state = state
        guard header.count > 0 else { return try keep(next) }
        var frame = header
        // A frame has all numbers since that before it, so that none seems to be missing.
        let last = marks[frame.run]?.sequence ?? 0
        if frame.first > last { frame.first = last + 1 }
        frame.last = max(frame.last, sequence)
        if try append(frame, payload, next) {
            kept = next
        } else {
            try keep(next)
        }
    }

    /// Stores another state of the sink: how far it has taken the records stays.
    mutating func keep(_ state: [UInt8]) throws(SinkError) {
        try open()
        var next = kept
        next.generation += 1
        next.state = state
        try keep(next)
    }

    private mutating func keep(_ next: SpoolKept) throws(SinkError) {
        try findDeletedIfDue()
        do throws(SystemError) { try write(next) } catch { throw .temporary("cannot write: \(error)") }
        kept = next
    }

    private mutating func write(_ next: SpoolKept) throws(SystemError) {
        if keptFile == nil { keptFile = try SpoolKeptFile(directory: directory) }
        isKeptChanged = true
        try keptFile?.write(next)
    }

    private mutating func findDeletedIfDue() throws(SinkError) {
        // Also when the clock has been set back.
        if now().subtractingReportingOverflow(lookedAt).partialValue.magnitude >= Self.noteInterval.magnitude {
            try findDeleted()
        }
    }

    /// - Returns: `false` when the frame was dropped and counted.
    private mutating func append(
        _ header: SpoolFrame, _ records: borrowing [UInt8], _ next: SpoolKept?
    ) throws(SinkError) -> Bool {
        try open()
        try findDeletedIfDue()
        var frame = header
        frame.time = now()
        let bytes: [UInt8]
        if let trailer = next?.trailer {
            frame.stateLength = trailer.count
            bytes = frame.bytes(with: copy records + trailer)
        } else {
            bytes = frame.bytes(with: records)
        }
        try expire()
        guard try makeRoom(for: Int64(bytes.count)) else {
            frame.stateLength = 0
            try drop(frame)
            return false
        }
        try noteDropped(force: true)
        do throws(SystemError) {
            if let last = view.segments.last, last.size + Int64(bytes.count) > options.segmentSize, !isEmpty(last) {
                try addSegment()
            }
            try write(bytes, at: end)
        } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped = nil
        marks.note(frame)
        noteDropped(at: now())
        return true
    }

    /// Appends dead letters in one write.
    ///
    /// - Returns: `false` when they have been appended before.
    mutating func append(
        again letters: [(frame: SpoolFrame, payload: [UInt8])], id: UInt64
    ) throws(SinkError) -> Bool {
        try open()
        guard id != lastAgain, !letters.isEmpty else { return false }
        var bytes: [UInt8] = []
        for letter in letters {
            var frame = letter.frame
            frame.time = now()
            bytes += frame.bytes(with: letter.payload)
        }
        // Nothing is dropped for them.
        guard view.isSettled || total + Int64(bytes.count) <= Int64(options.size.bytes),
            try makeRoom(for: Int64(bytes.count))
        else { throw .temporary("\(directory) is full (\(options.size))") }
        try noteDropped(force: true)
        do throws(SystemError) {
            if let last = view.segments.last, last.size + Int64(bytes.count) > options.segmentSize, !isEmpty(last) {
                try addSegment()
            }
            try write(bytes, at: end)
        } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped = nil
        lastAgain = id
        return true
    }

    /// Where the next frame starts.
    private var end: Int64 { ((view.segments.last?.size ?? 0) + 15) & ~15 }

    /// Whether a segment has only a header.
    private func isEmpty(_ segment: SpoolView.Segment) -> Bool {
        segment.size <= Int64(SpoolSegment.fixedSize + 24 * SpoolMarks.limit)
            && ((try? active?.header())?.length ?? 0) == segment.size
    }

    /// Writes some bytes into the last segment, which then ends with them; on an error it is as before.
    private mutating func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        guard let active, let last = view.segments.indices.last else {
            throw SystemError("write \(directory)", code: Errno.badDescriptor)
        }
        do throws(SystemError) { try active.file.write(bytes, at: offset) } catch {
            try? active.file.truncate(to: view.segments[last].size)
            throw error
        }
        let size = offset + Int64(bytes.count)
        total += size - view.segments[last].size
        view.segments[last].size = size
        view.segments[last].newest = now()
    }

    private mutating func addSegment() throws(SystemError) {
        // The frame that has it may be removed before another one has a newer one.
        if kept.generation > 0 { try write(kept) }
        let number = lastNumber + 1
        let time = now()
        let (segment, size) = try SpoolSegment.create(number, in: directory, marks: marks, time: time)
        lastNumber = number
        if let active { unsynchronized.append(active) }
        active = segment
        dropped = nil
        isDirectoryChanged = true
        view.segments.append(SpoolView.Segment(number: number, size: size, newest: time))
        total += size
    }

    mutating func flush() throws(SinkError) {
        if active != nil { try findDeleted() }
        guard let active else { return }
        do throws(SystemError) {
            for segment in unsynchronized { try segment.file.synchronize() }
            unsynchronized = []
            try active.file.synchronize()
            if isDirectoryChanged { try Directory.synchronize(directory) }
            isDirectoryChanged = false
            if isKeptChanged { try keptFile?.synchronize() }
            isKeptChanged = false
            // Last: it must not be newer than the records.
            if isCursorChanged { try cursorFile?.synchronize() }
            isCursorChanged = false
        } catch {
            throw .temporary("cannot flush: \(error)")
        }
    }

    // MARK: Room

    /// Makes room for a frame.
    ///
    /// - Returns: `false` when the frame is to be dropped.
    private mutating func makeRoom(for length: Int64) throws(SinkError) -> Bool {
        while total + length > Int64(options.size.bytes) {
            // A single batch may be larger than the spool.
            if view.segments.count == 1, let last = view.segments.last, isEmpty(last) { return true }
            if view.isSettled {
                do throws(SystemError) { try addSegment() } catch { throw .temporary("cannot write: \(error)") }
                skipToEnd()
                removeSettled()
                continue
            }
            switch options.whenFull {
            case .hold: throw .temporary("\(directory) is full (\(options.size))")
            case .dropNewest: return false
            case .dropOldest:
                if view.segments.count == 1, !view.isPinned(view.segments[0].number) {
                    do throws(SystemError) { try addSegment() } catch { throw .temporary("cannot write: \(error)") }
                }
                guard let oldest = view.droppable else { throw .temporary("\(directory) is full (\(options.size))") }
                _ = try drop(oldest, .overflow)
            }
        }
        return true
    }

    /// Drops a segment, and records it in the ledger.
    ///
    /// - Returns: How many records were in it.
    private mutating func drop(_ info: SpoolView.Segment, _ reason: SinkBook.Loss) throws(SinkError) -> UInt64 {
        var count: UInt64 = 0
        if info.number >= view.cursor.place.segment {
            for loss in try SpoolLoss.all(in: info, of: view, reason) {
                try loss.note(in: book)
                count += loss.count
            }
        }
        let isCurrent = view.cursor.place.segment == info.number
        view.segments.removeAll { $0.number == info.number }
        total -= info.size
        unsynchronized.removeAll { $0.number == info.number }
        if isCurrent, let next = view.segments.first(where: { $0.number > info.number }) {
            view.cursor.place = SpoolPlace(segment: next.number)
            storeCursor()
        } else if let index = view.segments.firstIndex(where: { $0.number > info.number }) {
            view.segments[index].isAfterDrop = true
        }
        try? FileName.removeIfPresent(SpoolSegment.path(info.number, in: directory))
        return count
    }

    /// Drops segments that have expired; what has expired in the last one is left out when it is read.
    mutating func expire() throws(SinkError) {
        guard let age = options.age, active != nil else { return }
        let oldest = now() - age.nanoseconds
        while let segment = view.droppable, segment.newest < oldest { _ = try drop(segment, .expired) }
    }

    mutating func dropAll() throws(SinkError) -> UInt64 {
        try open()
        view.cursor.flying = nil
        var count: UInt64 = 0
        do throws(SystemError) { try addSegment() } catch { throw .temporary("cannot write: \(error)") }
        while let segment = view.droppable { count += try drop(segment, .deleted) }
        skipToEnd()
        return count
    }

    // MARK: Dropping what comes

    /// Counts the records of a frame as dropped: in one frame at the end, which stores their position.
    private mutating func drop(_ header: SpoolFrame) throws(SinkError) {
        var frame = header
        frame.kind = .dropped
        var offset = end
        if let last = dropped, last.frame.run == frame.run, last.offset + Int64(SpoolFrame.headerSize) == end {
            offset = last.offset
            if !last.frame.isNoted { frame.add(before: last.frame) }
        } else {
            try noteDropped(force: true)
        }
        do throws(SystemError) { try write(frame.bytes(with: []), at: offset) } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped = (frame, offset)
        marks.note(frame)
        noteDropped(at: frame.time)
    }

    /// Puts into the ledger what was dropped, at most once a second.
    private mutating func noteDropped(at time: Int64) {
        guard let dropped, !dropped.frame.isNoted, time >= noteDue || noteDue - time > Self.noteInterval else { return }
        noteDue = time + Self.noteInterval
        try? noteDropped(force: true)
    }

    private mutating func noteDropped(force: Bool) throws(SinkError) {
        guard let last = dropped, !last.frame.isNoted, active != nil else { return }
        try SpoolLoss(last.frame, .overflow, at: SpoolPlace()).note(in: book)
        var frame = last.frame
        frame.isNoted = true
        do throws(SystemError) { try active?.file.write(frame.bytes(with: []), at: last.offset) } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped = (frame, last.offset)
    }

    // MARK: The cursor

    mutating func begin(_ part: SpoolReader.Part, from start: SpoolPlace) throws(SinkError) -> Bool {
        guard active != nil, view.cursor.place == start else { return false }
        for loss in part.losses where loss.place >= notedUpTo { try loss.note(in: book) }
        notedUpTo = max(notedUpTo, part.end)
        view.cursor.place = part.count == 0 ? part.end : part.start
        view.cursor.flying = part.count == 0 ? nil : part.end
        try writeCursor()
        removeSettled()
        return true
    }

    mutating func settle() {
        guard active != nil, let end = view.cursor.flying else { return }
        view.cursor = SpoolCursor(place: end)
        storeCursor()
        removeSettled()
    }

    mutating func recall() {
        guard active != nil else { return }
        view.cursor.flying = nil
        view.cursor.failures = 0
        view.cursor.notBefore = 0
        view.cursor.isAsked = false
        storeCursor()
    }

    mutating func noteFailures(_ count: UInt32, notBefore: Int64, isAsked: Bool) {
        guard active != nil else { return }
        view.cursor.failures = count
        view.cursor.notBefore = notBefore
        view.cursor.isAsked = isAsked
        storeCursor()
    }

    private mutating func skipToEnd() {
        guard let last = view.segments.last else { return }
        view.cursor = SpoolCursor(place: SpoolPlace(segment: last.number, offset: last.size))
        storeCursor()
    }

    private mutating func writeCursor() throws(SinkError) {
        generation &+= 1
        isCursorChanged = true
        do throws(SystemError) { try cursorFile?.write(view.cursor, generation: generation) } catch {
            throw .temporary("cannot write: \(error)")
        }
    }

    /// Writes the cursor; if that fails, records may be sent again after a kill.
    private mutating func storeCursor() { try? writeCursor() }

    /// Removes segments that have been delivered.
    private mutating func removeSettled() {
        while view.segments.count > 1, let first = view.segments.first, first.number < view.cursor.place.segment {
            view.segments.removeFirst()
            total -= first.size
            unsynchronized.removeAll { $0.number == first.number }
            try? FileName.removeIfPresent(SpoolSegment.path(first.number, in: directory))
        }
    }
}
