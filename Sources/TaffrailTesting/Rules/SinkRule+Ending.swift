internal import Taffrail

// Rules about flush, close, reopen, and the next run.

extension SinkRule {
    static let ending: [SinkRule] = [
        SinkRule("flush makes what was written durable, and succeeds where nothing was written") { trial in
            try trial.flush()
            try await trial.expectAllDurable("after a flush of nothing")
            try await trial.deliver(SampleRecords.numbered(0..<10))
            try trial.flush()
            try await trial.expectAllDurable("after a flush")
            try trial.flush()
            try await trial.deliver(SampleRecords.numbered(10..<11))
            try trial.flush()
            try await trial.expectAllDurable("after a further flush")
        },
        SinkRule("close includes flush") { trial in
            try await trial.deliver(SampleRecords.numbered(0..<10))
            try trial.close()
            try await trial.expectAllDurable("after close without a flush before it")
        },
        SinkRule("a sink that never received a record can be closed") { trial in
            try trial.close()
            try await trial.expectAll("after close")
        },
        SinkRule("reopen loses and duplicates nothing") { trial in
            try reopen(trial)
            for start in [0, 5] {
                try await trial.deliver(SampleRecords.numbered(start..<start + 5))
                try reopen(trial)
            }
            try await trial.deliver(SampleRecords.numbered(10..<15))
            try trial.flush()
            try await trial.expectAll("with reopen between batches")
        },
        SinkRule("the next run's sink appends to what is stored") { trial in
            guard trial.subject.outlivesSink else { throw NotApplicable(text: "the destination ends with its sink") }
            for run in 0..<3 {
                if run > 0 { try trial.makeAnother() }
                try await trial.deliver(SampleRecords.numbered(run * 4..<run * 4 + 4))
                try trial.close()
                try await trial.expectAll("after \(run + 1) sinks, one after the other,")
            }
        },
        SinkRule("the name is stable") { trial in
            let name = trial.sink.name
            guard !name.isEmpty else { throw trial.violation("the name is empty") }
            try await trial.deliver(SampleRecords.numbered(0..<1))
            try trial.flush()
            guard trial.sink.name == name else {
                throw trial.violation("the name is \"\(trial.sink.name)\" after a record, \"\(name)\" before")
            }
            try trial.close()
            try trial.makeAnother()
            guard trial.sink.name == name else {
                throw trial.violation(
                    "the name is \"\(trial.sink.name)\" in another sink of the same destination, not \"\(name)\"")
            }
        },
        SinkRule("a position that the sink stores is the end of the records it has taken") { trial in
            let stranger = RingID(0xDEAD)
            if let position = trial.sink.position(in: stranger) {
                throw trial.violation("the position in a ring that it never saw is \(position), not nil")
            }
            try await trial.deliver(SampleRecords.numbered(0..<3))
            try await trial.deliver(SampleRecords.numbered(3..<5))
            guard let position = trial.sink.position(in: trial.run) else { return }
            guard position == trial.position else {
                throw trial.violation("the position is \(position), the end of what it took is \(trial.position)")
            }
            if let position = trial.sink.position(in: stranger) {
                throw trial.violation("the position in a ring that it never saw is \(position), not nil")
            }
        },
    ]

    private static func reopen(_ trial: SinkTrial) throws {
        do { try trial.sink.reopen() } catch { throw trial.violation("reopen threw: \(error)") }
    }
}
