import CBench
import Glibc
import Logging

private nonisolated(unsafe) var logger = Logger(label: "bench") { label in
    StreamLogHandler.standardOutput(label: label)
}

/// swift-log's own StreamLogHandler, whose standard output is a file. It does not rotate, and its line has the
/// time in seconds with a zone, the level in lower case and the logger's label.
nonisolated(unsafe) let swiftLogPeer = bench_implementation(
    name: strdup("swiftlog"),
    start: { directory in
        guard let directory else { exit(1) }
        let file = open(String(cString: directory) + "/app.log", O_WRONLY | O_CREAT | O_APPEND, 0o640)
        guard file >= 0, dup2(file, STDOUT_FILENO) >= 0 else { exit(1) }
        logger.logLevel = .info
    },
    log_lines: { _, first, count in logLines(Workload.ids(first, count)) },
    log_with_attributes: { _, first, count in logWithAttributes(Workload.ids(first, count)) },
    finish: { _, _ in fflush(nil) },
    log_disabled: { logDisabled(Int($0)) },
    loop_empty: { Workload.loopEmpty(count: $0) })

@inline(never)
private func logLines(_ ids: Range<Int>) {
    let users = Workload.users
    let logger = logger
    for id in ids {
        logger.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
    }
}

@inline(never)
private func logWithAttributes(_ ids: Range<Int>) {
    let users = Workload.users
    let logger = logger
    for id in ids {
        logger.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            metadata: ["shard": "\(id & 15)", "cached": "\(id & 1 == 0)"])
    }
}

@inline(never)
private func logDisabled(_ count: Int) {
    let users = Workload.users
    let logger = logger
    for id in 0..<count {
        logger.debug("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
        bench_barrier()
    }
}
