package import Taffrail

extension FileSink {
    /// Writes messages as one batch.
    package func write(
        _ messages: [String], at time: Int64 = 1_767_623_400_123_000_000, level: Level = .info
    ) throws(SinkError) {
        var buffer = RecordBuffer()
        for message in messages {
            buffer.append(LogRecord(timestamp: Timestamp(nanoseconds: time), level: level, message: message))
        }
        try buffer.withBatch { batch throws(SinkError) in try write(batch) }
    }
}

extension TemporaryDirectory {
    /// Writes records to a separate log, one second apart.
    package func log(
        _ messages: [String], to name: String = "app.log", from start: Int64 = 1_767_623_400,
        format: FileOptions.Format = .text, rotate: RotationOptions = RotationOptions(keep: nil), level: Level = .info
    ) throws {
        let sink = try FileSink(FileOptions(path: file(name), rotate: rotate, format: format, time: .utc))
        for (number, message) in messages.enumerated() {
            try sink.write([message], at: (start + Int64(number)) * 1_000_000_000, level: level)
        }
        try sink.close()
    }
}
