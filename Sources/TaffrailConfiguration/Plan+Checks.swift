#if Configuration
internal import Taffrail
internal import Yams

extension Plan {
    private var sinks: [Instance] { plugins.filter { $0.plugin.kind == .sink } }

    /// Sinks that share a destination with an earlier one, which would get every record twice.
    func twins(in file: String) -> [ConfigurationProblem] {
        var owners: [String: String] = [:]
        var problems: [ConfigurationProblem] = []
        for sink in sinks {
            let destinations = sink.plugin.options.destinations(of: sink.plugin.instance)
            if let owner = destinations.lazy.compactMap({ owners[$0] }).first {
                problems.append(sink.problem("has the same destination as \(owner)", in: file))
            }
            for destination in destinations where owners[destination] == nil { owners[destination] = sink.name }
        }
        return problems
    }

    /// The destination of records if the configuration names no sink.
    func defaultSink(in file: String, of root: Node?) -> [ConfigurationProblem] {
        guard root?.mapping?["plugins"] == nil, let sink = sinks.first else { return [] }
        let path = sink.plugin.options.destinations(of: PluginInstance(named: sink.name)).first ?? sink.name
        return [
            ConfigurationProblem(
                file: file, line: 1, column: 1, message: "no plugins are named: records go to \(path)")
        ]
    }

    /// Sinks that request levels which the pipeline drops.
    func unreachableLevels(in file: String) -> [ConfigurationProblem] {
        let lowest = levels.values.reduce(level, min)
        return sinks.filter(\.asksForLevel).filter { $0.plugin.filter.level < lowest }.map { sink in
            sink.problem(
                "level: \(sink.plugin.filter.level.name) has no effect below the pipeline's level, \(lowest.name)",
                in: file)
        }
    }
}

extension Plan.Instance {
    fileprivate func problem(_ message: String, in file: String) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, column: column, message: "\(name): \(message)")
    }
}
#endif
