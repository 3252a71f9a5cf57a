import CBench
import Glibc
import Taffrail

/// Taffrail with a file sink set up in code. They differ in format and rotation; each ends when all lines are in the
/// file, which is not synchronized.
nonisolated(unsafe) let taffrailFilePeers = [
    peer("taffrail-text") { start(in: $0, format: .text, rotate: RotationOptions(size: .mebibytes(32), keep: nil)) },
    peer("taffrail-json") { start(in: $0, format: .json, rotate: RotationOptions(size: .mebibytes(32), keep: nil)) },
    peer("taffrail-whole") { start(in: $0, format: .text, rotate: RotationOptions(size: nil)) },
    peer("taffrail-gzip") {
        start(in: $0, format: .text, rotate: RotationOptions(size: .mebibytes(1), keep: nil, compress: .gzip))
    },
]

private nonisolated(unsafe) var pipeline = Pipeline.shared

private func peer(
    _ name: String, start: @escaping @convention(c) (UnsafePointer<CChar>?) -> Void
) -> bench_implementation {
    bench_implementation(
        name: strdup(name), start: start,
        log_lines: { _, first, count in logLines(Workload.ids(first, count)) },
        log_with_attributes: { _, first, count in logWithAttributes(Workload.ids(first, count)) },
        finish: { _, _ in pipeline.drain() },
        log_disabled: nil, loop_empty: nil)
}

private func start(
    in directory: UnsafePointer<CChar>?, format: FileOptions.Format, rotate: RotationOptions
) {
    guard let directory else { exit(1) }
    do {
        let sink = try FileSink(
            FileOptions(path: String(cString: directory) + "/app.log", rotate: rotate, format: format))
        pipeline = Pipeline(sinks: [sink])
    } catch {
        _ = "\(error)\n".withCString { write(2, $0, strlen($0)) }
        exit(1)
    }
}

@inline(never)
private func logLines(_ ids: Range<Int>) {
    let users = Workload.users
    let logger = pipeline.logger
    for id in ids {
        logger.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
    }
}

@inline(never)
private func logWithAttributes(_ ids: Range<Int>) {
    let users = Workload.users
    let logger = pipeline.logger
    for id in ids {
        logger.info(
            "request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200",
            ["shard": .int(Int64(id & 15)), "cached": .bool(id & 1 == 0)])
    }
}
