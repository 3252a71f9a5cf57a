#if Configuration
public import Taffrail

extension Plan {
    /// Reads and checks a configuration file. Opens nothing but the file itself.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - registry: The plugins of the program.
    ///   - environment: `${NAME}` in a value is replaced by a variable; `TAFFRAIL_LEVEL` overrides the levels that it names.
    ///     Default: the process's own.
    /// - Throws: ``ConfigurationError`` with all problems.
    public static func read(
        file: String, registry: PluginRegistry, environment: [String: String]? = nil
    ) throws(ConfigurationError) -> Plan {
        try read(file: file, registry: registry, environment: environment, skipsUnknownPlugins: false)
    }

    /// Reads a configuration for a recovery, ignoring sinks whose plugins are not part of this program.
    package static func readForRecovery(file: String, registry: PluginRegistry) throws(ConfigurationError) -> Plan {
        try read(file: file, registry: registry, environment: nil, skipsUnknownPlugins: true)
    }

    /// Reads a configuration again. A pipe is an error: it no longer contains what has been read from it.
    static func readAgain(
        file: String, registry: PluginRegistry, environment: [String: String]
    ) throws(ConfigurationError) -> Plan {
        try read(file: file, registry: registry, environment: environment, skipsUnknownPlugins: false, isAgain: true)
    }

    private static func read(
        file: String, registry: PluginRegistry, environment: [String: String]?, skipsUnknownPlugins: Bool,
        isAgain: Bool = false
    ) throws(ConfigurationError) -> Plan {
        let version = FileStatus.version(of: file)
        let text = try ConfigurationPath.text(of: file, isAgain: isAgain)
        var plan = try read(
            text: text, named: file, registry: registry, environment: environment,
            skipsUnknownPlugins: skipsUnknownPlugins)
        plan.file = file
        plan.fileVersion = version
        return plan
    }

    /// Reads and checks a configuration.
    ///
    /// - Parameters:
    ///   - text: A YAML document.
    ///   - name: The file name in messages.
    ///   - registry: The plugins of the program.
    ///   - environment: `${NAME}` in a value is replaced by a variable; `TAFFRAIL_LEVEL` overrides the levels that it names.
    ///     Default: the process's own.
    /// - Throws: ``ConfigurationError`` with all problems.
    public static func read(
        text: String, named name: String = "taffrail.yaml", registry: PluginRegistry,
        environment: [String: String]? = nil
    ) throws(ConfigurationError) -> Plan {
        try read(
            text: text, named: name, registry: registry, environment: environment, skipsUnknownPlugins: false)
    }

    private static func read(
        text: String, named name: String, registry: PluginRegistry, environment: [String: String]?,
        skipsUnknownPlugins: Bool
    ) throws(ConfigurationError) -> Plan {
        let environment = environment ?? Environment.variables
        var variables = YAMLVariables(environment, file: name)
        let root = try YAMLDocument.root(of: text, file: name).map { variables.expanded($0) }
        var reader = PlanReader(file: name, registry: registry, skipsUnknownPlugins: skipsUnknownPlugins)
        // A value that is missing because of an unset variable is not reported a second time.
        if variables.problems.isEmpty { reader.read(root) }
        var plan = reader.plan
        var problems = variables.problems + reader.problems
        if let text = environment["TAFFRAIL_LEVEL"], !text.isEmpty {
            var levels = LevelTable(root: plan.level, byName: plan.levels)
            if let wrong = levels.read(text) {
                let choices = Suggestion.text(for: wrong, among: Level.allCases.map(\.name), naming: "levels")
                problems.append(
                    ConfigurationProblem(file: "TAFFRAIL_LEVEL", message: "unknown level \"\(wrong)\"\(choices)"))
            }
            (plan.level, plan.levels) = (levels.root, levels.byName)
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        let unusable =
            plan.duplicateDestinations + (skipsUnknownPlugins ? [] : plan.directoriesAsFiles)
        guard unusable.isEmpty else { throw ConfigurationError(unusable) }
        plan.warnings = plan.unreachableLevels + plan.defaultSink(in: name, of: root)
        return plan
    }
}
#endif
