internal import Taffrail

// Rules about the data that a sink must store.

extension SinkRule {
    static let keeping: [SinkRule] = [
        SinkRule("every record is kept once and in order") { trial in
            var next = 0
            for count in [1, 7, 1, 100, 64] {
                try await trial.deliver(SampleRecords.numbered(next..<next + count))
                next += count
            }
            try trial.flush()
            try await trial.expectAll("after 5 batches and a flush")
        },
        SinkRule("the records that write has taken are stored when it returns") { trial in
            for start in [0, 3] {
                try await trial.deliver(SampleRecords.numbered(start..<start + 3))
                try await trial.expectAll("after a write, before any flush,")
            }
        },
        SinkRule("an empty batch is taken and leaves nothing") { trial in
            try await trial.deliver([])
            try await trial.expectAll("after an empty batch")
            try await trial.deliver(SampleRecords.numbered(0..<2))
            try await trial.deliver([])
            try await trial.expectAll("after two records and an empty batch")
        },
        SinkRule("newlines, NUL, control characters and emoji are kept") { trial in
            let records = SampleRecords.awkward.enumerated().map { SampleRecords.record($1, after: .milliseconds($0)) }
            try await trial.deliver(records)
            try await trial.expectAll("among awkward messages")
        },
        SinkRule("an empty message is kept") { trial in
            try await trial.deliver([
                SampleRecords.record("before"), SampleRecords.record(""), SampleRecords.record("after"),
            ])
            try await trial.expectAll("around an empty message")
        },
        SinkRule("a message of 1 MiB is kept whole") { trial in
            let long = String(repeating: "0123456789abcde\u{E9}", count: 1 << 16).dropLast(1 << 12)
            try await trial.deliver([
                SampleRecords.record("before"), SampleRecords.record(String(long)), SampleRecords.record("after"),
            ])
            try await trial.expectAll("around a message of 1 MiB")
        },
        SinkRule("every kind of attribute is kept") { trial in
            guard trial.subject.keeps.contains(.attributes) else {
                throw NotApplicable(text: "the destination keeps no attributes")
            }
            for entry in SampleRecords.values {
                try await trial.deliver([SampleRecords.record("one attribute", after: .zero, [entry])])
                try await trial.expectAll("with the attribute \(entry.key)")
            }
            try await trial.deliver([SampleRecords.record("all attributes", after: .zero, SampleRecords.values)])
            try await trial.expectAll("with attributes of every kind")
        },
        SinkRule("every field is kept, at every level") { trial in
            try await trial.deliver(Level.allCases.map(SampleRecords.complete))
            try await trial.expectAll("with all fields set")
        },
    ]
}
