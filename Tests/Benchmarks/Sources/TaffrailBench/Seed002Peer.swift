import CBench
import Foundation

/// The file logger that many apps start with: a serial queue, a file handle, a date formatter. No rotation; the queue
/// has no bound.
final class SimpleLogger: @unchecked Sendable {
    private let logFileURL: URL
    private let fileHandle: FileHandle?
    private let queue = DispatchQueue(label: "app.logger")
    private lazy var dateFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
        return formatter
    }()

    init(directory: String) {
        logFileURL = URL(fileURLWithPath: directory).appendingPathComponent("app.log")
        _ = FileManager.default.createFile(atPath: logFileURL.path, contents: nil)
        fileHandle = try? FileHandle(forWritingTo: logFileURL)
        _ = try? fileHandle?.seekToEnd()
        info("Logger initialized")
    }

    func debug(_ message: String) { log(message, level: "DEBUG") }
    func info(_ message: String) { log(message, level: "INFO") }
    func warning(_ message: String) { log(message, level: "WARNING") }
    func error(_ message: String) { log(message, level: "ERROR") }

    private func log(_ message: String, level: String) {
        let timestamp = dateFormatter.string(from: Date())
        let line = "[\(timestamp)] [\(level)] \(message)\n"
        queue.async { [fileHandle] in
            if let data = line.data(using: .utf8) { fileHandle?.write(data) }
        }
    }

    /// Waits until everything is written.
    func drain() { queue.sync {} }
}

private nonisolated(unsafe) var logger: SimpleLogger?

nonisolated(unsafe) let seed002Peer = bench_implementation(
    name: strdup("seed002"),
    start: { directory in
        guard let directory else { exit(1) }
        logger = SimpleLogger(directory: String(cString: directory))
    },
    log_lines: { _, first, count in logLines(Workload.ids(first, count)) },
    log_with_attributes: nil,
    finish: { _, _ in logger?.drain() },
    log_disabled: nil,
    loop_empty: nil)

@inline(never)
private func logLines(_ ids: Range<Int>) {
    guard let logger else { exit(1) }
    let users = Workload.users
    for id in ids {
        logger.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
    }
}
