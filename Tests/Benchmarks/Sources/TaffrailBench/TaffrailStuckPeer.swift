import CBench
import Glibc
import Taffrail

/// A sink whose first write never returns, as a hung network file system would do it.
private final class StuckSink: Sink {
    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        while true { pause() }
    }
}

private nonisolated(unsafe) var logger = Logger.shared

/// Taffrail with a sink that is stuck: the calls wait, as long as they may, and then drop; memory must not grow.
nonisolated(unsafe) let taffrailStuckPeer = bench_implementation(
    name: strdup("taffrail-stuck"),
    start: { directory in
        guard let directory else { exit(1) }
        let queue = QueueOptions(directory: String(cString: directory))
        logger = Pipeline(sinks: [StuckSink()], queue: queue).logger
    },
    log_lines: { _, first, count in logLines(Workload.ids(first, count)) },
    log_with_attributes: nil,
    finish: { _, _ in },
    log_disabled: nil,
    loop_empty: nil)

@inline(never)
private func logLines(_ ids: Range<Int>) {
    let users = Workload.users
    let logger = logger
    for id in ids {
        logger.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
    }
}
