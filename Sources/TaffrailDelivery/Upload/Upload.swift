internal import Taffrail

/// Sends the records of a spool to a destination: one batch after the other, in order, each until it is resolved.
///
/// Confined to one thread.
package struct Upload {
    /// The next step.
    package enum Next: Sendable, Equatable {
        /// Call again at once.
        case now
        /// Call again after that time, or when the spool has that many bytes.
        case wait(for: Duration, bytes: Int64)
        /// Call again when the spool has records.
        case idle
        /// The destination was interrupted.
        case stop
    }

    private let spool: Spool
    private let destination: any Destination
    private let options: UploadOptions
    private let clock: UploadClock
    private var reader = SpoolReader()
    package private(set) var status = UploadStatus()

    /// The batch that has been sent, or may have been, and is not resolved.
    private var batch: SpoolBatch?
    /// The response to the batch until it is resolved, so that it is not sent again while the ledger cannot be written.
    private var answered: Attempt?
    /// Whether the batch is already among the dead letters.
    private var isDeadLetter = false
    /// The time at which the next attempt is allowed.
    private var schedule: RetrySchedule
    private var hasStarted = false
    /// The ends of refused batches that are being sent in parts.
    private var ends: [SpoolPosition] = []
    /// The maximum number of records in the next batch.
    private var partLimit: Int?
    /// The limits of a batch.
    private var limits: BatchLimits
    /// The number of records in a row that the destination has refused, without accepting one.
    private var refusedInRow = 0
    /// The number of times that the next record has been refused since then.
    private var probes = 0
    /// How often the destination was still working on the current batch, or on the batch that contained it.
    private var conflicts = 0
    /// The reason why dead letters could not be appended.
    private var lettersProblem: String?

    /// The number of records in a row that become dead letters at once. After that, the destination is more likely at
    /// fault than the records: later records wait as after a failure.
    private static let refusalsAtOnce = 8
    /// The number of times that a record after those is refused before it becomes a dead letter, too.
    private static let refusalsOfProbe = 16
    /// The number of times that a destination may still be working on a batch before it counts as refused.
    private static let conflictsAtMost = 16

    package init(
        _ spool: Spool, to destination: any Destination, options: UploadOptions, clock: UploadClock = UploadClock()
    ) {
        self.spool = spool
        self.destination = destination
        self.options = options
        self.clock = clock
        schedule = RetrySchedule(options, clock)
        limits = BatchLimits(options)
    }

    /// Sends at most one batch.
    ///
    /// - Parameter isEnding: Whether to send the existing records without waiting for more.
    package mutating func advance(isEnding: Bool = false) -> Next {
        do throws(SinkError) {
            return try step(isEnding)
        } catch {
            // The spool cannot be read or written: its disk is full or was removed.
            report(error.reason)
            return wait(.seconds(1))
        }
    }

    private mutating func step(_ isEnding: Bool) throws(SinkError) -> Next {
        if !hasStarted {
            hasStarted = true
            status.nextAttempt = schedule.resume(spool.view.cursor) ?? status.nextAttempt
        }
        let left = schedule.left
        if left > .zero { return wait(left) }
        if batch == nil {
            takeDeadLetters()
            try spool.expire()
            let next = try takeBatch(isEnding)
            if let next { return next }
        }
        guard let batch else { return .now }
        return try resolve(batch, answered ?? send(batch))
    }

    private mutating func send(_ batch: SpoolBatch) -> Attempt {
        var attempt = destination.send(batch)
        if attempt.isInProgress {
            conflicts += 1
            if conflicts > Self.conflictsAtMost { attempt.verdict = .refused }
        }
        answered = attempt
        status.sentBytes &+= UInt64(max(0, attempt.bytes))
        schedule.pause(after: attempt.bytes)
        return attempt
    }

    /// Clears the batch: it is resolved, or is split differently.
    private mutating func endBatch() {
        batch = nil
        answered = nil
        isDeadLetter = false
    }

    private func wait(_ duration: Duration) -> Next { .wait(for: duration, bytes: .max) }

    // MARK: Batches

    /// Takes the next batch from the spool.
    ///
    /// - Returns: The next step if there is no batch.
    private mutating func takeBatch(_ isEnding: Bool) throws(SinkError) -> Next? {
        let view = spool.view
        let start = view.cursor.position
        ends.removeAll { $0 <= start }
        if ends.isEmpty { conflicts = 0 }
        var most = SpoolReader.Limits(records: limits.records, bytes: limits.bytes)
        if let age = spool.options.age { most.expiry = clock.wall() &- age.nanoseconds }
        if let flying = view.cursor.flying {
            // The batch may have been sent: exactly the same records are sent again.
            most = SpoolReader.Limits(records: .max, bytes: .max, end: flying)
        } else if let end = ends.last {
            most = SpoolReader.Limits(records: partLimit ?? .max, bytes: .max, end: end)
        }
        let batch: SpoolBatch
        do throws(SystemError) { batch = try reader.read(view, most) } catch {
            throw .temporary("the spool cannot be read: \(error)")
        }
        guard batch.count > 0 else {
            status.oldest = nil
            guard batch.end != start else { return .idle }
            _ = try spool.begin(batch, from: start)
            return .now
        }
        status.oldest = batch.time
        if view.cursor.flying == nil && ends.isEmpty && !isEnding, let wait = wait(forMoreThan: batch) { return wait }
        guard try spool.begin(batch, from: start) else { return .now }
        self.batch = batch
        answered = nil
        partLimit = nil
        return nil
    }

    /// Returns how long to wait for more records; `nil`: not at all.
    private func wait(forMoreThan batch: SpoolBatch) -> Next? {
        guard batch.count < limits.records, spool.pendingBytes < Int64(limits.bytes) else { return nil }
        let delay = options.delay.nanoseconds
        let age = clock.wall() &- batch.time
        // The clock has been set back: the age of the record is unknown.
        guard age >= 0 else { return nil }
        let left = delay &- age
        guard left > 0 else { return nil }
        return .wait(for: .nanoseconds(min(left, delay)), bytes: Int64(limits.bytes))
    }

    /// Appends dead letters to send again, unless a batch is in progress. If there is no space, they wait.
    private mutating func takeDeadLetters() {
        let path = DeadLetters.againPath(in: spool.options.directory)
        guard ends.isEmpty, spool.view.cursor.flying == nil, FileName.exists(path) else { return }
        do throws(SinkError) {
            _ = try spool.append(deadLettersIn: path)
            do throws(SystemError) { try FileName.remove(path) } catch { throw .temporary("\(error)") }
            lettersProblem = nil
        } catch {
            if lettersProblem != error.reason {
                Diagnostics.report("dead letters cannot be processed: \(error.reason)")
            }
            lettersProblem = error.reason
        }
    }

    // MARK: Responses

    private mutating func resolve(_ batch: SpoolBatch, _ attempt: Attempt) throws(SinkError) -> Next {
        switch attempt.verdict {
        case .accepted(let refused):
            try accept(batch, refused: min(refused, UInt64(batch.count)), attempt)
            return .now
        case .tooLarge where batch.count > 1:
            limits.noteTooLarge(batch)
            split(batch)
            return .now
        case .refused where batch.count > 1:
            split(batch)
            return .now
        case .tooLarge, .refused:
            if refusedInRow >= Self.refusalsAtOnce, probes < Self.refusalsOfProbe, !isDeadLetter {
                probes += 1
                fail(attempt.reason, notBefore: nil)
            } else {
                try moveToDeadLetters(batch, attempt.reason)
            }
            return .now
        case .later(let requested):
            // The batch may have arrived, and is sent again unchanged; later ones are smaller.
            if attempt.isSlow { limits.noteTooSlow(batch) }
            fail(attempt.reason, notBefore: requested)
            return .now
        case .denied:
            fail(attempt.reason, notBefore: nil)
            return .now
        case .interrupted:
            answered = nil
            return .stop
        }
    }

    private mutating func accept(_ batch: SpoolBatch, refused: UInt64, _ attempt: Attempt) throws(SinkError) {
        if refused > 0 {
            let parts = batch.records(at: attempt.refused)
            if !parts.isEmpty { _ = try writeLetters(parts, attempt.reason) }
            try spool.note(refused, lostBy: .rejected, of: batch.run, among: batch.first...max(batch.first, batch.last))
            Diagnostics.report("\(refused) of \(batch.count) records were refused: \(attempt.reason)")
        }
        spool.resolve()
        endBatch()
        status.sent &+= UInt64(batch.count) &- refused
        status.refused &+= refused
        status.batches &+= 1
        status.lastAccepted = clock.wall()
        status.nextAttempt = nil
        if status.problem != nil {
            Diagnostics.report("sending has resumed")
            status.problem = nil
        }
        schedule.reset()
        limits.noteAccepted()
        refusedInRow = 0
        probes = 0
    }

    /// Splits a batch into two parts that are sent separately.
    private mutating func split(_ batch: SpoolBatch) {
        spool.cancelBatch()
        if ends.last != batch.end { ends.append(batch.end) }
        partLimit = batch.count / 2
        endBatch()
        // Consecutive refusals do not change the delays.
        if refusedInRow == 0 { schedule.reset() }
    }

    /// Appends records to the dead letters, unless that has been done.
    ///
    /// - Returns: `false` when their file is full.
    private mutating func writeLetters(_ parts: [SpoolBatch], _ reason: String) throws(SinkError) -> Bool {
        if isDeadLetter { return true }
        do throws(SystemError) {
            isDeadLetter = try DeadLetters.append(
                parts, reason: reason, time: clock.wall(), in: spool.options.directory)
        } catch {
            throw .temporary("a dead letter cannot be written: \(error)")
        }
        return isDeadLetter
    }

    /// Moves a record to the dead letters.
    private mutating func moveToDeadLetters(_ batch: SpoolBatch, _ reason: String) throws(SinkError) {
        let isKept = try writeLetters([batch], reason)
        try spool.note(1, lostBy: .rejected, of: batch.run, among: batch.first...max(batch.first, batch.last))
        spool.resolve()
        endBatch()
        status.refused &+= 1
        status.problem = reason
        refusedInRow += 1
        probes = 0
        Diagnostics.report(
            "record \(batch.first) of run \(batch.run) was refused"
                + (isKept ? " and is a dead letter now: " : "; the file of dead letters is full: ") + reason)
        if refusedInRow >= Self.refusalsAtOnce { fail(reason, notBefore: nil) }
    }

    /// Sends the batch again after a delay.
    private mutating func fail(_ reason: String, notBefore requested: Int64?) {
        answered = nil
        report(reason)
        let (next, isRequested) = schedule.fail(notBefore: requested)
        status.nextAttempt = next
        spool.noteFailures(schedule.failures, notBefore: next, isRequested: isRequested)
    }

    /// Reports a new problem.
    private mutating func report(_ reason: String) {
        if status.problem != reason { Diagnostics.report("records remain in \(spool.options.directory): \(reason)") }
        status.problem = reason
    }
}
