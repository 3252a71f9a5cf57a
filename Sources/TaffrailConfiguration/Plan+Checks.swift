#if Configuration
internal import Taffrail
internal import Yams

extension Plan {
    var sinks: [Instance] { plugins.filter { $0.plugin.kind == .sink } }

    /// The problem of more sinks than the queue can serve; `nil` if there are not too many.
    var surplusOfSinks: String? {
        let (count, limit) = (sinks.count, RingHeader.sinkSlots)
        return count > limit ? "\(count) sinks are enabled; the maximum is \(limit)" : nil
    }

    /// Sinks that share a destination with an earlier one, which would get every record twice.
    var duplicateDestinations: [ConfigurationProblem] {
        var owners: [String: String] = [:]
        var problems: [ConfigurationProblem] = []
        for sink in sinks {
            let destinations = sink.plugin.options.destinations(of: sink.plugin.instance)
            if let owner = destinations.lazy.compactMap({ owners[$0] }).first {
                problems.append(sink.problem("has the same destination as \(owner)"))
            }
            for destination in destinations where owners[destination] == nil { owners[destination] = sink.name }
        }
        return problems
    }

    /// Log files whose path is an existing directory: no start could open them.
    var directoriesAsFiles: [ConfigurationProblem] {
        sinks.filter { $0.plugin.options is FileOptions }.compactMap { sink in
            let paths = sink.plugin.options.destinations(of: sink.plugin.instance)
            guard let path = paths.first(where: Directory.exists) else { return nil }
            return sink.problem("path: \(path) is a directory; name a file in it")
        }
    }

    /// Makes parts keep their state next to the log of the first sink `file`, as the queue does, so that another
    /// program with this configuration, such as `taffrail recover`, finds it.
    mutating func placeBesideLog() {
        guard let file = sinks.first(where: { $0.plugin.options is FileOptions })?.plugin,
            let path = file.options.destinations(of: file.instance).first, let directory = Directory.parent(of: path)
        else { return }
        func place(_ instance: inout Instance) {
            guard type(of: instance.plugin.options).keepsStateBesideLog else { return }
            instance.plugin.instance.logDirectory = directory
            instance.plugin.instance.log = FileName.base(of: path)
        }
        for index in guards.indices { place(&guards[index]) }
        for index in processors.indices { place(&processors[index]) }
        for index in plugins.indices { place(&plugins[index]) }
    }

    /// Returns the destination of records if the configuration names no sink.
    func defaultSink(in file: String, of root: Node?) -> [ConfigurationProblem] {
        guard root?.mapping?["plugins"] == nil, let sink = sinks.first else { return [] }
        let path = sink.plugin.options.destinations(of: PluginInstance(named: sink.name)).first ?? sink.name
        return [
            ConfigurationProblem(
                file: file, line: 1, column: 1, message: "\"plugins:\" is missing; records are written to \(path)")
        ]
    }

    /// Sinks that request levels which the pipeline drops.
    var unreachableLevels: [ConfigurationProblem] {
        sinks.filter(\.asksForLevel).compactMap { sink in
            let filter = sink.plugin.filter
            let lowest = lowestLevel(of: filter.loggers)
            guard filter.level < lowest else { return nil }
            let owner = filter.loggers.isEmpty ? "the pipeline's level" : "the level of its loggers"
            return sink.problem("level: \(filter.level.name) has no effect, because \(owner) is \(lowest.name)")
        }
    }

    /// Returns the lowest level of the loggers with some names and those below; of all loggers if there are no names.
    private func lowestLevel(of names: [String]) -> Level {
        guard !names.isEmpty else { return levels.values.reduce(level, min) }
        let table = LevelTable(root: level, byName: levels)
        let own = names.map { table.level(of: $0) }
        let below = levels.filter { entry in names.contains { entry.key.hasPrefix($0 + ".") } }
        return (own + below.values).min() ?? level
    }
}

extension Plan.Instance {
    /// Returns a problem at its key.
    func problem(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem(
            file: file ?? "the configuration", line: line, column: column, message: "\(name): \(message)")
    }
}
#endif
