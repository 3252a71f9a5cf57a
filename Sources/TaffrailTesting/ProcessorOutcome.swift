public import Taffrail

extension Processor {
    /// What a pipeline with only this processor would give its sinks.
    ///
    /// - Parameter records: What is logged; each goes through the queue's encoding first.
    /// - Returns: What is kept, with timestamp, run and sequence number as they were.
    public mutating func outcome(of records: [LogRecord]) -> [LogRecord] {
        var kept: [LogRecord] = []
        for record in records {
            var buffer = RecordBuffer(run: record.run)
            buffer.append(record)
            buffer.withBatch { batch in
                batch.forEach { view in
                    let original = LogRecord(view)
                    var changed = original
                    switch inspect(view) {
                    case .keep: kept.append(original)
                    case .drop: break
                    case .change:
                        guard process(&changed) == .keep else { return }
                        changed.timestamp = original.timestamp
                        changed.run = original.run
                        changed.sequence = original.sequence
                        kept.append(changed)
                    }
                }
            }
        }
        return kept
    }
}
