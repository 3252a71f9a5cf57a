internal import Taffrail

// Rules about failures of the destination and recovery from them.

extension SinkRule {
    static let failing: [SinkRule] = [
        SinkRule("a destination that may become available again is a temporary error") { trial in
            _ = try await interruptedError(trial)
            try await trial.restore()
        },
        SinkRule("a temporary error reports exactly how many records were taken") { trial in
            guard let error = try await interruptedError(trial) else {
                throw NotApplicable(text: "the sink accepts records while its destination is unavailable")
            }
            try await trial.restore()
            try await trial.expectAll("after an error with taken \(error.taken)")
        },
        SinkRule("nothing is lost or duplicated once the destination is available again") { trial in
            var next = 0
            for round in 1...3 {
                try await trial.deliver(SampleRecords.numbered(next..<next + 5))
                try await trial.interrupt()
                let batch = SampleRecords.numbered(next + 5..<next + 205)
                let before = trial.taken.count
                for _ in 0..<3 {
                    do {
                        try trial.offer(Array(batch.dropFirst(trial.taken.count - before)))
                        break
                    } catch let error as SinkError where error.kind == .temporary {
                        continue
                    }
                }
                try await trial.restore()
                try await trial.deliver(Array(batch.dropFirst(trial.taken.count - before)))
                try trial.flush()
                try await trial.expectAll("after interruption \(round)")
                next += 205
            }
            try trial.close()
            try await trial.expectAllDurable("after three interruptions and close")
        },
        SinkRule("flush throws while it cannot make durable what was written") { trial in
            try await trial.deliver(SampleRecords.numbered(0..<5))
            guard try await trial.subject.recordsAfterPowerLoss() != nil else {
                throw NotApplicable(text: "the subject cannot show what survives power loss")
            }
            try await trial.interrupt()
            do { try trial.offer(SampleRecords.numbered(5..<8)) } catch is SinkError {}
            do throws(SinkError) { try trial.sink.flush() } catch { return try await trial.restore() }
            try await trial.expectAllDurable("after a flush without an error while the destination was unavailable")
            try await trial.restore()
        },
        SinkRule("a record that can never be written is a permanent error, and the others are written") { trial in
            guard let impossible = trial.subject.impossibleRecord else {
                throw NotApplicable(text: "the sink refuses no record")
            }
            let batch = [SampleRecords.record("before"), impossible, SampleRecords.record("after")]
            do {
                try trial.offer(batch)
                throw trial.violation("a record that can never be written was taken without an error")
            } catch let error as SinkError {
                guard error.kind == .permanent else {
                    throw trial.violation("it is a temporary error, so that it is offered for ever: \(error.reason)")
                }
                guard error.taken == 1 else {
                    throw trial.violation("the record after the first one is refused, but taken is \(error.taken)")
                }
            }
            try await trial.deliver([batch[2]])
            try await trial.expectAll("around a record that was refused")
        },
        SinkRule("an error's reason is one line that is not empty") { trial in
            guard let error = try await interruptedError(trial) else {
                throw NotApplicable(text: "the sink accepts records while its destination is unavailable")
            }
            guard !error.reason.isEmpty, !error.reason.contains(where: \.isNewline) else {
                throw trial.violation("the reason is \(error.reason.debugDescription)")
            }
            try await trial.restore()
        },
    ]

    /// Writes some records, interrupts the destination, writes more, and returns the error; `nil` if the sink accepts
    /// the records anyway.
    private static func interruptedError(_ trial: SinkTrial) async throws -> SinkError? {
        try await trial.deliver(SampleRecords.numbered(0..<5))
        try await trial.interrupt()
        do {
            try trial.offer(SampleRecords.numbered(5..<505))
            return nil
        } catch let error as SinkError {
            guard error.kind == .temporary else {
                throw trial.violation("it is a permanent error, by which a record is lost: \(error.reason)")
            }
            return error
        }
    }
}
