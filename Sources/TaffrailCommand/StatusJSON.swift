#if Command
internal import Taffrail
internal import TaffrailReading
internal import TaffrailText

/// A status as one JSON object in a line.
enum StatusJSON {
    static func line(_ report: StatusReport) -> String {
        var bytes: [UInt8] = []
        bytes.add("{\"directory\":", string: report.directory)
        bytes.add(",\"state\":", string: report.health.rawValue)
        bytes.add(",\"queues\":[")
        for (index, queue) in report.queues.enumerated() {
            if index > 0 { bytes.add(",") }
            append(queue, to: &bytes)
        }
        bytes.add("],\"memory_queues\":[")
        for (index, queue) in report.memoryQueues.enumerated() {
            bytes.add("\(index > 0 ? "," : ""){\"run\":\"\(queue.run)\",\"process\":\(queue.processID)")
            if let levels = queue.levels { bytes.add(",\"levels\":", string: levels) }
            bytes.add("}")
        }
        bytes.add("],\"plugins\":{")
        for (index, plugin) in report.plugins.enumerated() {
            bytes.add(index > 0 ? "," : "", string: plugin.instance)
            bytes.add(":\(plugin.json)")
        }
        let endings = report.endings.map(\.ending)
        let dropped = Set(report.ledger.drops.map(\.run))
        let records = endings.reduce(UInt64(0)) { $0 &+ $1.records }
        bytes.add("},\"ended\":{\"runs\":\(endings.count),\"records\":\(records)")
        bytes.add(",\"incomplete\":\(endings.count { dropped.contains($0.run) })},\"problems\":[")
        for (index, problem) in report.problems.enumerated() { bytes.add(index > 0 ? "," : "", string: problem) }
        bytes.add("]}")
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ queue: StatusReport.Queue, to bytes: inout [UInt8]) {
        let status = queue.status
        bytes.add("{\"run\":\"\(status.run)\",\"state\":\"\(queue.health.rawValue)\"")
        if status.isAlive { bytes.add(",\"process\":\(status.processID)") }
        bytes.add(",\"log\":", string: status.destination)
        bytes.add(",\"started\":\"\(RFC3339.string(status.startedAt))\"")
        bytes.add(",\"capacity\":\(status.capacity),\"depth\":\(status.depth),\"records\":\(status.records)")
        bytes.add(",\"filtered\":\(status.filtered),\"dropped\":{")
        let reasons = DropReason.allCases.filter { status.droppedByReason[$0] != nil }
        for (index, reason) in reasons.enumerated() {
            bytes.add("\(index > 0 ? "," : "")\"\(reason.rawValue)\":{")
            let levels = status.droppedByReason[reason] ?? [:]
            let counts = Level.allCases.compactMap { level in levels[level].map { "\"\(level.name)\":\($0)" } }
            bytes.add(counts.joined(separator: ",") + "}")
        }
        bytes.add("}")
        if let levels = queue.levels { bytes.add(",\"levels\":", string: levels) }
        bytes.add(",\"sinks\":[")
        for (index, sink) in status.sinks.enumerated() {
            bytes.add(index > 0 ? ",{\"name\":" : "{\"name\":", string: sink.name)
            bytes.add(",\"written\":\(sink.written),\"behind\":\(sink.behind),\"lost\":\(sink.lost)")
            bytes.add(",\"filtered\":\(sink.filtered)}")
        }
        bytes.add("]}")
    }
}

extension [UInt8] {
    /// Appends a text as it is, then another as a JSON string.
    fileprivate mutating func add(_ text: String, string: String? = nil) {
        append(contentsOf: text.utf8)
        if let string { append(json: string) }
    }
}
#endif
