@testable import Taffrail

extension FileSink {
    /// Writes messages as one batch of a ring.
    func write(
        _ messages: [String], at time: Int64 = 1_767_623_400_123_000_000, level: Level = .info,
        checkpoint: SinkCheckpoint?, start: UInt64 = 0
    ) throws(SinkError) {
        var buffer = RecordBuffer(run: checkpoint?.run ?? .none, start: start)
        for message in messages {
            buffer.append(LogRecord(timestamp: Timestamp(nanoseconds: time), level: level, message: message))
        }
        try buffer.withBatch { batch throws(SinkError) in
            try write(
                RecordBatch(
                    base: batch.base, length: batch.length, run: batch.run, count: batch.count, start: batch.start,
                    checkpoint: checkpoint))
        }
    }
}
