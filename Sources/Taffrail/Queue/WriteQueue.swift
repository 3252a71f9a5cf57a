internal import CTaffrail
internal import Synchronization

/// The producers' side of the queue: reserve space, copy the record, publish it.
///
/// Every method may be called from any thread. Between a reservation and its commit nothing may trap, wait or run
/// foreign code: an unpublished record blocks the writer.
struct WriteQueue: @unchecked Sendable {
    let control: QueueControl
    var limits: QueueLimits

    /// Reserves space for a number of bytes; on `nil`, call ``reserveSlowly(_:_:_:)``.
    @inline(__always)
    func reserve(_ size: UInt64) -> UInt64? {
        var position = control.tail.pointee.load(ordering: .relaxed)
        while true {
            let end = position &+ size
            guard end <= control.limit.pointee.load(ordering: .acquiring) else { return nil }
            let reserved: Bool
            // Reads of the ambient attributes must follow the reservation.
            (reserved, position) = control.tail.pointee.weakCompareExchange(
                expected: position, desired: end, ordering: .acquiring)
            if reserved { return position }
        }
    }

    /// Copies the record of `length` bytes at `record` into the reserved space and publishes it.
    @inline(__always)
    func publish(_ record: UnsafeMutableRawPointer, length: Int, at position: UInt64, timestamp: Int64) {
        // Space is reserved, so a ring is open, and it stays mapped until this record is committed.
        let to = control.data.unsafelyUnwrapped + Int(truncatingIfNeeded: position & control.mask)
        // Prefetch the space of the next records: it was last written a lap ago, on the writer's core.
        taffrail_prefetch(to + 1024)
        let checksum = Checksum.copy(
            UnsafeRawBufferPointer(
                start: record + RecordLayout.checkedFrom, count: length &- RecordLayout.checkedFrom),
            to: to + RecordLayout.checkedFrom, seed: UInt64(bitPattern: timestamp))
        to.storeBytes(of: checksum, toByteOffset: RecordLayout.checksum, as: UInt64.self)
        to.storeBytes(of: timestamp, toByteOffset: RecordLayout.timestamp, as: Int64.self)
        let word = RecordLayout.commitWord(
            position: position, units: length / RecordLayout.unit, secret: control.secret)
        to.atomic64.pointee.store(word, ordering: .releasing)
    }

    /// Returns whether to wake the writer for a record of that level that ends there.
    @inline(__always)
    func wantsToKnow(of level: Level, end: UInt64) -> Bool {
        end > control.wakeMark.pointee.load(ordering: .relaxed) || level.rawValue >= control.flushLevel
    }

    /// Wakes the writer for a record for which ``wantsToKnow(of:end:)`` is true.
    func wake(for level: Level, end: UInt64) {
        if level.rawValue >= control.flushLevel {
            control.askForFlush(upTo: end)
        } else {
            control.wakeWriter()
        }
    }

    /// Adds a record of Taffrail itself, if the ring has room now. On the writer thread.
    func submitFromWriter(_ record: LogRecord) -> Bool {
        taffrail_scratch_refuse(0)
        defer { taffrail_scratch_refuse(1) }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return false }
        defer { scratch.end(frame) }
        let length = RecordEncoder.encode(record, thread: scratch.threadID, at: frame.start, in: scratch)
        let position = control.tail.pointee.load(ordering: .acquiring)
        let end = position &+ UInt64(length)
        guard position < QueueControl.closedTail, control.state == .open,
            end &- control.head.pointee.load(ordering: .acquiring) <= control.mask &+ 1,
            control.tail.pointee.compareExchange(expected: position, desired: end, ordering: .acquiring).exchanged
        else { return false }
        publish(
            scratch.pointer(at: frame.start), length: length, at: position, timestamp: record.timestamp.nanoseconds)
        return true
    }

    /// How long a caller waits for room.
    enum Waiting {
        /// As the options of the queue require.
        case asConfigured
        /// Without a limit.
        case always
        /// Does not wait. A record that does not fit is returned to the caller and not counted as dropped.
        case never
    }

    /// Reserves space when the fast path has found no room: opens a ring, waits, or drops.
    ///
    /// Waiting callers compete for the space that the writer frees. A caller that has lost for long takes precedence:
    /// until it has its space, the others wait even if there is room. A writer that makes progress therefore loses no
    /// record.
    ///
    /// - Parameters:
    ///   - open: Creates a ring; called when none is open.
    /// - Returns: `nil` when the record has been dropped and counted, or the caller keeps it.
    func reserveSlowly(
        _ size: UInt64, _ level: Level, _ waiting: Waiting = .asConfigured, _ open: () -> Void
    ) -> UInt64? {
        var deadline: Int64?
        var startOfWait: Int64?
        var hasPrecedence = false
        defer { if hasPrecedence { control.endPrecedence() } }
        while true {
            let epoch = control.space.value
            switch control.state {
            case .none, .failed:
                open()
                // No ring could be created, or a set-up that takes too long prevents that.
                let state = control.state
                guard state == .failed || state == .none && control.isStuck else { continue }
                switch waiting {
                case .never: return nil
                case .always: control.space.wait(while: epoch, nanoseconds: 250_000_000)
                case .asConfigured: return drop(level, .closed)
                }
            case .closing:
                if waiting == .never { return nil }
                // The thread that closes the queue sets the next state in time, unless a sink hangs.
                let now = SystemClock.monotonicNanoseconds()
                let limit = deadline ?? (now + limits.closingNanoseconds)
                deadline = limit
                guard now < limit, !control.isStuck else {
                    control.isStuck = true
                    return drop(level, .closed)
                }
                control.space.wait(while: epoch, nanoseconds: limit - now)
            case .shutDown: return waiting == .never ? nil : drop(level, .closed)
            case .open:
                let position = control.tail.pointee.load(ordering: .acquiring)
                // Closed in the meantime: the next iteration finds the new state.
                guard position < QueueControl.closedTail else { continue }
                let head = control.head.pointee.load(ordering: .acquiring)
                let isHeldBack = !hasPrecedence && control.isPrecedenceTaken
                if !isHeldBack, position &+ size &- head <= UInt64(room(for: level)) {
                    let (reserved, _) = control.tail.pointee.compareExchange(
                        expected: position, desired: position &+ size, ordering: .acquiring)
                    if reserved { return position }
                    continue
                }
                if waiting == .never { return nil }
                guard waiting == .always || !isHindered && level.rawValue >= limits.droppedLevels else {
                    return drop(level, control.isDegraded ? .degraded : .full)
                }
                let now = SystemClock.monotonicNanoseconds()
                let start = startOfWait ?? now
                startOfWait = start
                if !hasPrecedence, now - start >= limits.precedenceNanoseconds {
                    control.takePrecedence()
                    hasPrecedence = true
                    continue
                }
                guard waiting != .always else {
                    awaitSpace(since: epoch, head: head, nanoseconds: 1_000_000_000)
                    continue
                }
                let limit = deadline ?? (now + limits.blockNanoseconds)
                deadline = limit
                guard now < limit else {
                    control.isStuck = true
                    return drop(level, .full)
                }
                awaitSpace(since: epoch, head: head, nanoseconds: limit - now)
            }
        }
    }

    /// Returns how much of the ring records of a level may fill.
    private func room(for level: Level) -> Int {
        let capacity = Int(truncatingIfNeeded: control.mask &+ 1)
        guard isHindered else { return capacity }
        switch level {
        case .trace, .debug: return capacity / 2
        case .info, .notice: return capacity / 4 * 3
        case .warning: return capacity / 10 * 9
        case .error, .critical: return capacity
        }
    }

    /// Whether no caller may wait: every sink fails, or a caller has timed out.
    private var isHindered: Bool { control.isDegraded || control.isStuck }

    private func awaitSpace(since epoch: UInt32, head: UInt64, nanoseconds: Int64) {
        control.spaceWaiters.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        // The writer frees space and then looks for waiters; this is the reverse order.
        if control.head.pointee.load(ordering: .sequentiallyConsistent) == head {
            control.wakeWriter()
            control.space.wait(while: epoch, nanoseconds: nanoseconds)
        }
        control.spaceWaiters.pointee.wrappingSubtract(1, ordering: .relaxed)
    }

    private func drop(_ level: Level, _ reason: DropReason) -> UInt64? {
        control.countDrop(level, for: reason)
        // The program or its options may require dropping the record.
        let isRequested =
            switch reason {
            case .closed: control.state == .shutDown
            case .full: level.rawValue < limits.droppedLevels
            default: false
            }
        if !isRequested { control.countLosses(1) }
        return nil
    }

    /// Counts a record that could not be encoded: out of memory, or logged by a sink.
    func countEncodingFailed(_ level: Level) {
        control.countDrop(level, for: .encodingFailed)
        if taffrail_is_writer_thread() != 0 {
            control.refused.pointee.wrappingAdd(1, ordering: .relaxed)
        } else {
            control.countLosses(1)
        }
    }
}
