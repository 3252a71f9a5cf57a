internal import Taffrail

/// Applies one rule to one sink: acts as the writer and tracks what the destination must contain.
final class SinkTrial {
    let subject: any SinkSubject
    private let sentence: String
    private(set) var sink: any Sink
    private var isClosed = false
    private var isInterrupted = false

    /// The records that the sink has taken, in order.
    private(set) var taken: [LogRecord] = []
    private var nextSequence: UInt64 = 1
    /// The position of the next batch in the simulated ring; not near zero, as in a ring that has been used.
    private(set) var position: UInt64 = 3 << 20
    let run = RingID(0x0123_4567_89AB_CDEF)

    init(_ subject: some SinkSubject, _ sentence: String) throws {
        self.subject = subject
        self.sentence = sentence
        sink = try subject.makeSink()
    }

    /// How often records are offered to a working destination, within about five seconds.
    private static let attempts = 14

    func violation(_ finding: String) -> RuleViolation { RuleViolation(sentence: sentence, finding: finding) }

    // MARK: Acting as the writer

    /// Offers a batch once and rethrows the sink's error. Counts the records according to that error, and skips a
    /// record that it refuses.
    func offer(_ records: [LogRecord]) throws {
        let numbered = number(records)
        var ends: [UInt64] = []
        do {
            try withBatch(numbered) { batch throws(SinkError) in
                batch.forEach { ends.append($0.end) }
                try sink.write(batch)
            }
        } catch {
            guard (0...numbered.count).contains(error.taken) else {
                throw violation("write threw with taken \(error.taken) for a batch of \(numbered.count)")
            }
            if error.kind == .permanent && error.taken == numbered.count {
                throw violation("write refused a record permanently, but reports that it took the whole batch")
            }
            book(numbered.prefix(error.taken), ends)
            if error.kind == .permanent {
                // The writer skips the refused record.
                nextSequence += 1
                position = ends[error.taken]
            }
            throw error
        }
        book(numbered[...], ends)
    }

    /// Offers records until all have been taken, as the writer does. A sink with a working destination takes them at
    /// once or after a few attempts.
    func deliver(_ records: [LogRecord]) async throws {
        var rest = records[...]
        var delay = Duration.milliseconds(1)
        for attempt in 1...Self.attempts {
            let before = taken.count
            do {
                return try offer(Array(rest))
            } catch let error as SinkError {
                rest = rest.dropFirst(taken.count - before)
                guard error.kind == .temporary, attempt < Self.attempts else {
                    throw violation("write failed although the destination works: \(error)")
                }
            }
            try await Task.sleep(for: delay)
            delay = min(delay * 2, .seconds(1))
        }
    }

    func flush() throws {
        do { try sink.flush() } catch { throw violation("flush threw: \(error)") }
    }

    func close() throws {
        isClosed = true
        do { try sink.close() } catch { throw violation("close threw: \(error)") }
    }

    /// Simulates a later run: another sink for the same destination.
    func makeAnother() throws {
        let another = try subject.makeSink()
        // A subject may have a single sink.
        isClosed = isClosed && another === sink
        sink = another
    }

    /// Makes the destination fail until it is restored.
    func interrupt() async throws {
        guard try await subject.interrupt() else {
            throw NotApplicable(text: "the subject cannot interrupt its destination")
        }
        isInterrupted = true
    }

    func restore() async throws {
        isInterrupted = false
        try await subject.restore()
    }

    /// Restores the destination after a rule, and closes the sink, so that it releases its destination.
    func end() async throws {
        do { if isInterrupted { try await restore() } } catch {
            if !isClosed { try? close() }
            throw error
        }
        if !isClosed { try close() }
    }

    private func number(_ records: [LogRecord]) -> [LogRecord] {
        var sequence = nextSequence
        return records.map { record in
            defer { sequence += 1 }
            var numbered = record
            numbered.sequence = sequence
            numbered.run = run
            return numbered
        }
    }

    private func book(_ records: ArraySlice<LogRecord>, _ ends: [UInt64]) {
        taken += records
        nextSequence += UInt64(records.count)
        if !records.isEmpty { position = ends[records.count - 1] }
    }

    private func withBatch(
        _ records: [LogRecord], _ body: (borrowing RecordBatch) throws(SinkError) -> Void
    ) throws(SinkError) {
        var buffer = RecordBuffer(run: run, start: position)
        for record in records { buffer.append(record) }
        try buffer.withBatch(body)
    }

    // MARK: Checking

    /// Requires the destination to contain exactly the records taken.
    func expectAll(_ stage: String) async throws { try compare(try await subject.records(), stage) }

    /// Requires the same after power loss, if the subject can determine that.
    func expectAllDurable(_ stage: String) async throws {
        if let found = try await subject.recordsAfterPowerLoss() {
            try compare(found, stage)
        } else {
            try await expectAll(stage)
        }
    }

    private func compare(_ found: [LogRecord], _ stage: String) throws {
        for (index, (found, wanted)) in zip(found, taken).enumerated() {
            if let difference = subject.keeps.difference(found, subject.expected(wanted)) {
                throw violation("\(stage), record \(index + 1) of \(taken.count) was read back with \(difference)")
            }
        }
        guard found.count == taken.count else {
            throw violation("\(stage) the destination has \(found.count) records, not \(taken.count)")
        }
    }
}
