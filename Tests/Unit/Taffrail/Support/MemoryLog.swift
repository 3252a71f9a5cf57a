import Taffrail
import TaffrailTestSupport
import TaffrailTesting

/// A pipeline into memory for one test.
final class MemoryLog {
    let sink = MemorySink()
    let pipeline: Pipeline

    init(capacity: Int = 256 << 10, level: Level = .trace, levels: [String: Level] = [:]) {
        pipeline = Pipeline(
            sinks: [sink],
            queue: QueueOptions(capacity: capacity, blockLimit: .seconds(60), handleSignals: false), level: level,
            levels: levels)
    }

    deinit { pipeline.shutdown() }

    var logger: Logger { pipeline.logger }

    /// The logged records. On a busy machine and with a sanitizer, writing them may take long.
    var records: [LogRecord] {
        pipeline.flush(timeout: .seconds(300))
        return sink.records
    }

    var messages: [String] { records.map(\.message) }
}
