#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
#if Configuration
internal import TaffrailConfiguration
#endif

/// The configuration of a command.
enum ConfigurationFlag {
    /// The description of the default in a command's help.
    static let search =
        "default: $TAFFRAIL_CONFIG, ./taffrail.yaml, taffrail/taffrail.yaml in $XDG_CONFIG_HOME (default ~/.config), "
        + "/etc/taffrail/taffrail.yaml"
}

#if Configuration
extension ConfigurationFlag {
    /// Reads and checks a file, or the one in `TAFFRAIL_CONFIG` or on the search path; `nil` if there is none.
    ///
    /// - Throws: Exit status 78 for an invalid configuration, which has been reported on stderr.
    static func plan(_ path: String?) throws -> (file: String, plan: Plan)? {
        guard let file = path ?? ConfigurationPath.find() else { return nil }
        return try reportingProblems { () throws(ConfigurationError) in
            (file, try Plan.read(file: file, registry: try registry()))
        }
    }

    /// Reads and checks a file as ``plan(_:)`` does.
    ///
    /// - Throws: Exit status 66 if there is none, 78 for an invalid configuration; both have been reported on stderr.
    static func requiredPlan(_ path: String?) throws -> (file: String, plan: Plan) {
        if let found = try plan(path) { return found }
        let searched = ConfigurationPath.candidates(environment: Environment.variables).joined(separator: ", ")
        throw ExitCode.noInput.reporting(
            "no configuration was found; looked for \(searched), and $TAFFRAIL_CONFIG names none")
    }

    /// Reads a file for a recovery, ignoring sinks of plugins that the command lacks.
    static func planForRecovery(_ file: String) throws -> Plan {
        try reportingProblems { () throws(ConfigurationError) in
            try Plan.readForRecovery(file: file, registry: try registry())
        }
    }

    /// Sets up the shared pipeline from a plan.
    ///
    /// - Throws: Exit status 78 when a part cannot be created, which has been reported on stderr.
    static func start(_ plan: Plan, file: String, watches: Bool = false) throws -> LiveConfiguration {
        Home.shared.restore(from: plan.stateDirectories)
        return try reportingProblems { () throws(ConfigurationError) in
            let registry = try registry()
            return try Pipeline.startShared(plan, file: file, registry: registry, watches: watches, opensFiles: true)
        }
    }

    /// Calls a function, and reports the problems of a configuration.
    ///
    /// - Parameter name: The name of a configuration that is no file: its problems have no place; `nil`: there is none.
    /// - Throws: Exit status 78.
    static func reportingProblems<Result>(
        named name: String? = nil, _ body: () throws(ConfigurationError) -> Result
    ) throws -> Result {
        do throws(ConfigurationError) { return try body() } catch {
            for problem in error.problems {
                let isNamed = problem.file == name
                StandardStream.report(isNamed ? problem.message : "\(problem)", isPrefixed: isNamed)
            }
            throw ExitCode.badConfiguration
        }
    }

    /// Prints the parts of a plan that are probably unintended.
    static func printWarnings(of plan: Plan) {
        for warning in plan.warnings {
            let location = "\(warning.file):\(warning.line):\(warning.column)"
            StandardStream.report("\(location): warning: \(warning.message)", isPrefixed: false)
        }
    }

    /// Returns all plugins of the command.
    static func registry() throws(ConfigurationError) -> PluginRegistry {
        guard let registry = CommandPlugins.registry else {
            throw ConfigurationError([ConfigurationProblem(file: "taffrail", message: "has no plugins")])
        }
        return registry
    }
}
#endif
#endif
