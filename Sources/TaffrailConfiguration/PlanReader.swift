#if Configuration
internal import Taffrail
internal import Yams

/// Reads a document into a plan and collects all problems.
struct PlanReader {
    let file: String
    let registry: PluginRegistry
    private(set) var plan = Plan()
    private(set) var problems: [ConfigurationProblem] = []
    private var sections: [String: any PluginOptions] = [:]
    private let skipsUnknownPlugins: Bool

    /// Creates a reader of one document.
    ///
    /// - Parameter skipsUnknownPlugins: Whether to ignore plugins that are not part of this program.
    init(file: String, registry: PluginRegistry, skipsUnknownPlugins: Bool = false) {
        self.file = file
        self.registry = registry
        self.skipsUnknownPlugins = skipsUnknownPlugins
    }

    private static let keys = ["level", "levels", "queue", "processors", "plugins"]

    mutating func read(_ root: Node?) {
        defer {
            addDefaultSink(isNeeded: root?.mapping?["plugins"] == nil)
            plan.placeBesideLog()
        }
        guard let root, !root.isNothing else { return }
        guard case .mapping(let mapping) = root else {
            report(root.mark, "a configuration must be a mapping, not \(root.phrase)")
            return
        }
        let hasAllSections = readSections(of: mapping)
        plan.sections = sections
        for (key, value) in mapping {
            switch key.name {
            case "level": plan.level = options(key, value) { try $0.singleValueContainer().decode(Level.self) } ?? .info
            case "levels": readLevels(key, value)
            case "queue": plan.queue = options(key, value) { try QueueSection(from: $0).options } ?? plan.queue
            case "processors": readProcessors(key, value)
            case "plugins": readPlugins(key, value)
            // Notes for people and other programs, as in Compose files.
            case let name where name.hasPrefix("x-"): continue
            default: readTopLevel(key, value, hasAllSections: hasAllSections)
            }
        }
    }

    /// Reads the sections that options of plugins refer to. Returns `false` if one could not be read.
    private mutating func readSections(of mapping: Node.Mapping) -> Bool {
        let before = problems.count
        sections = OptionsReader.sections(of: mapping, file: file, registry, into: &problems)
        return problems.count == before
    }

    /// Reads a key that a plugin defines.
    private mutating func readTopLevel(_ key: Node, _ value: Node, hasAllSections: Bool) {
        switch registry[key.name]?.kind {
        case .section: return
        case .attributeGuard:
            // The problem of the section has been reported.
            guard hasAllSections, let entry = registry[key.name] else { return }
            guard let prepared = options(key, value, { try entry.plan(PluginInstance(named: key.name), $0) })
            else { return }
            plan.guards.append(Plan.Instance(prepared, at: key.mark, in: file))
        default:
            if let advice = KnownPlugins.adviceForKey(key.name) { return report(key.mark, advice) }
            let brought = registry.entries.filter { $0.kind.isTopLevel }.map(\.name)
            let hint = Suggestion.text(for: key.name, among: Self.keys + brought, naming: "keys")
            report(key.mark, "unknown key \"\(key.name)\"\(hint)")
        }
    }

    /// A configuration without `plugins:` keeps the default log file.
    private mutating func addDefaultSink(isNeeded: Bool) {
        guard isNeeded, problems.isEmpty, registry["file"] != nil else { return }
        let key = Node.scalar(Node.Scalar("file"))
        readInstance(key, Node.mapping(Node.Mapping([])), section: "plugins", isProcessor: false)
    }

    private mutating func report(_ mark: Mark?, _ message: String) {
        problems.append(
            ConfigurationProblem(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message))
    }

    private mutating func options<Value>(
        _ key: Node, _ value: Node, path: String? = nil, otherKeys: [String] = [], _ body: (any Decoder) throws -> Value
    ) -> Value? {
        let reader = OptionsReader(
            file: file, path: path ?? key.name, mark: key.mark, node: value, otherKeys: otherKeys,
            sections: PluginRegistry.Sections(sections))
        return reader.read(into: &problems, body)
    }

    /// Logger names are not coding keys: they contain dots, and any name is valid.
    private mutating func readLevels(_ key: Node, _ value: Node) {
        guard case .mapping(let mapping) = value else {
            report(value.mark ?? key.mark, "levels: must be a mapping of logger names to levels, not \(value.phrase)")
            return
        }
        for (name, level) in mapping {
            plan.levels[name.name] = options(name, level, path: "levels.\(name.name)") {
                try $0.singleValueContainer().decode(Level.self)
            }
        }
    }

    private mutating func readProcessors(_ key: Node, _ value: Node) {
        guard case .sequence(let list) = value else {
            let spot = value.isNothing ? key.mark : value.mark
            report(spot, "processors: must be a list, such as \"- sampling: {rate: 0.1}\", not \(value.phrase)")
            return
        }
        for (index, element) in list.enumerated() {
            switch element {
            case .mapping(let mapping) where mapping.count == 1:
                guard let pair = mapping.first else { continue }
                readInstance(pair.key, pair.value, section: "processors[\(index)]", isProcessor: true)
            case .scalar where !element.isNothing:
                readInstance(
                    element, Node.mapping(Node.Mapping([])), section: "processors[\(index)]", isProcessor: true)
            default:
                report(
                    element.mark, "processors[\(index)]: must be one processor with its options, not \(element.phrase)")
            }
        }
    }

    private mutating func readPlugins(_ key: Node, _ value: Node) {
        guard case .mapping(let mapping) = value else {
            report(value.isNothing ? key.mark : value.mark, "plugins: must be a mapping, not \(value.phrase)")
            return
        }
        let before = problems.count
        for (name, options) in mapping { readInstance(name, options, section: "plugins", isProcessor: false) }
        guard problems.count == before else { return }
        if plan.sinks.isEmpty && !skipsUnknownPlugins {
            let known = registry.entries.filter { $0.kind == .sink }.map(\.name).sorted().joined(separator: ", ")
            report(key.mark, "plugins: no sink is enabled, so all records would be dropped; known sinks: \(known)")
        }
        if let problem = plan.surplusOfSinks { report(key.mark, "plugins: \(problem)") }
    }

    private static let instanceKeys = ["enabled", "type"]
    private static let sinkKeys = ["level", "only"]

    private mutating func readInstance(_ key: Node, _ value: Node, section: String, isProcessor: Bool) {
        let path = "\(section).\(key.name)"
        var plugin = (name: key.name, mark: key.mark)
        var isEnabled = true
        if case .mapping(let mapping) = value {
            if let type = mapping["type"] {
                guard let name = type.scalar?.string, !type.isNothing else {
                    report(type.mark, "\(path).type: must be the name of a plugin, not \(type.phrase)")
                    return
                }
                plugin = (name, type.mark)
            }
            if let enabled = mapping.first(where: { $0.key.name == "enabled" }) {
                isEnabled =
                    options(enabled.key, enabled.value, path: "\(path).enabled") {
                        try $0.singleValueContainer().decode(Bool.self)
                    } ?? false
            }
        }
        guard let entry = entry(plugin.name, at: plugin.mark, isProcessor: isProcessor, isEnabled: isEnabled) else {
            return
        }
        let otherKeys = Self.instanceKeys + (entry.kind == .sink ? Self.sinkKeys : [])
        let prepared = options(key, value, path: path, otherKeys: otherKeys) {
            try entry.plan(PluginInstance(named: key.name), $0)
        }
        let known = problems
        let filter = entry.kind == .sink ? readFilter(value, path) : (SinkFilter(), false)
        // A plugin may have its own option `level`, and report the same problem.
        problems = known + problems.dropFirst(known.count).filter { !known.contains($0) }
        guard let prepared, isEnabled else { return }
        var instance = Plan.Instance(prepared, at: key.mark, in: file)
        (instance.plugin.filter, instance.asksForLevel) = filter
        if isProcessor { plan.processors.append(instance) } else { plan.plugins.append(instance) }
    }

    /// Reads the filter of a sink, and whether it sets a level.
    private mutating func readFilter(_ value: Node, _ path: String) -> (SinkFilter, Bool) {
        var filter = SinkFilter()
        guard case .mapping(let mapping) = value else { return (filter, false) }
        var asksForLevel = false
        for (key, value) in mapping {
            switch key.name {
            case "level":
                asksForLevel = true
                filter.level =
                    options(key, value, path: "\(path).level") {
                        try $0.singleValueContainer().decode(Level.self)
                    } ?? .trace
            case "only":
                let only = options(key, value, path: "\(path).only") { try OnlySection(from: $0) }
                filter.loggers = only?.loggers ?? []
                filter.events = only?.events ?? []
            default: continue
            }
        }
        return (filter, asksForLevel)
    }

    /// Returns the registry entry of a name under `processors:` or `plugins:`.
    private mutating func entry(
        _ name: String, at mark: Mark?, isProcessor: Bool, isEnabled: Bool
    ) -> PluginRegistry.Entry? {
        if let entry = registry[name] {
            guard !entry.kind.isTopLevel else {
                report(mark, "\"\(name)\" is a top-level key of the configuration")
                return nil
            }
            if (entry.kind == .processor) == isProcessor { return entry }
            report(
                mark,
                isProcessor
                    ? "\"\(name)\" is not a processor; list it under \"plugins:\""
                    : "\"\(name)\" is a processor; list it under \"processors:\"")
            return nil
        }
        if skipsUnknownPlugins && !isProcessor { return nil }
        if let advice = KnownPlugins.advice(for: name) {
            // One file may serve several programs if plugins that one of them lacks are disabled.
            if isEnabled { report(mark, advice) }
            return nil
        }
        let known = registry.entries.filter { !$0.kind.isTopLevel && ($0.kind == .processor) == isProcessor }
            .map(\.name)
        let kind = isProcessor ? "processor" : "plugin"
        report(mark, "unknown \(kind) \"\(name)\"\(Suggestion.text(for: name, among: known, naming: "\(kind)s"))")
        return nil
    }
}

extension PluginRegistry.Kind {
    /// Whether its name is a top-level key of a configuration.
    fileprivate var isTopLevel: Bool { self == .attributeGuard || self == .section }
}

extension Plan.Instance {
    fileprivate init(_ plugin: PlannedPlugin, at mark: Mark?, in file: String) {
        self.init(plugin)
        self.file = file
        line = mark?.line ?? 0
        column = mark?.column ?? 0
    }
}

/// The section `only:` of a sink.
private struct OnlySection: Decodable {
    let loggers: [String]
    let events: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable { case loggers, events }

    init(from decoder: any Decoder) throws {
        let section = try decoder.container(keyedBy: CodingKeys.self)
        func names(_ key: CodingKeys) throws -> [String] {
            let names: [String] = try section.value(key, or: [])
            guard !names.contains("") else { throw section.problem(key, "must not have an empty name") }
            guard !section.contains(key) || !names.isEmpty else { throw section.problem(key, "must not be empty") }
            return names
        }
        loggers = try names(.loggers)
        events = try names(.events)
    }
}
#endif
