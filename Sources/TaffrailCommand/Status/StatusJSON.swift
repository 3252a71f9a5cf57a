#if Command
internal import Taffrail
internal import TaffrailReading
internal import TaffrailText

/// A status as one JSON object in a line.
enum StatusJSON {
    static func line(_ report: StatusReport) -> String {
        var line = JSONObject()
        line.add("directory", report.directory)
        line.add("state", report.health.rawValue)
        line.add("queues", report.queues.map(object))
        line.add(
            "memory_queues",
            report.memoryQueues.map { queue in
                var object = JSONObject()
                object.add("run", "\(queue.run)")
                object.add("process", whole: queue.processID)
                object.add("levels", known: queue.levels)
                return object
            })
        var plugins = JSONObject()
        for plugin in report.plugins { plugins.add(plugin.instance, json: plugin.json) }
        line.add("plugins", plugins)
        let endings = report.endings.map(\.ending)
        let dropped = Set(report.ledger.drops.map(\.run))
        var ended = JSONObject()
        ended.add("runs", whole: endings.count)
        ended.add("records", whole: endings.reduce(UInt64(0)) { $0 &+ $1.records })
        ended.add("incomplete", whole: endings.count { dropped.contains($0.run) })
        line.add("ended", ended)
        line.add("problems", report.problems)
        return line.string
    }

    private static func object(_ queue: StatusReport.Queue) -> JSONObject {
        let status = queue.status
        var object = JSONObject()
        object.add("run", "\(status.run)")
        object.add("state", queue.health.rawValue)
        if status.isAlive { object.add("process", whole: status.processID) }
        object.add("log", status.destination)
        object.add("started", RFC3339.string(status.startedAt))
        object.add("capacity", whole: status.capacity)
        object.add("depth", whole: status.depth)
        object.add("records", whole: status.records)
        object.add("filtered", whole: status.filtered)
        var dropped = JSONObject()
        for reason in DropReason.allCases {
            guard let levels = status.droppedByReason[reason] else { continue }
            var counts = JSONObject()
            for level in Level.allCases { counts.add(level.name, whole: levels[level]) }
            dropped.add(reason.rawValue, counts)
        }
        object.add("dropped", dropped)
        object.add("levels", known: queue.levels)
        object.add(
            "sinks",
            status.sinks.map { sink in
                var object = JSONObject()
                object.add("name", sink.name)
                object.add("written", whole: sink.written)
                object.add("behind", whole: sink.behind)
                object.add("lost", whole: sink.lost)
                object.add("filtered", whole: sink.filtered)
                return object
            })
        if !queue.absentSinks.isEmpty { object.add("absent_sinks", queue.absentSinks) }
        return object
    }
}
#endif
