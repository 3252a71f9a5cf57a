public import Taffrail

extension Processor {
    /// Returns the records that the sinks of a pipeline with only this processor would get.
    ///
    /// - Parameter records: The logged records; each is encoded as in the queue first.
    /// - Returns: The records that are kept, with their timestamps, runs and sequence numbers.
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
