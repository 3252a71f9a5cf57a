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
        "default: $TAFFRAIL_CONFIG, ./taffrail.yaml, ~/.config/taffrail/taffrail.yaml, /etc/taffrail/taffrail.yaml"
}

#if Configuration
extension ConfigurationFlag {
    /// Reads and checks a file, or the one in `TAFFRAIL_CONFIG` or on the search path; `nil` if there is none.
    ///
    /// - Throws: Exit status 78 for an invalid configuration, which has been reported on stderr.
    static func plan(_ path: String?) throws -> (file: String, plan: Plan)? {
        guard let file = path ?? ConfigurationPath.find() else { return nil }
        do throws(ConfigurationError) {
            return (file, try Plan.read(file: file, registry: try registry()))
        } catch {
            for problem in error.problems { StandardStream.report("\(problem)", isPrefixed: false) }
            throw ExitCode.badConfiguration
        }
    }

    /// Reads a file for a recovery, ignoring sinks of plugins that the command lacks.
    static func planForRecovery(_ file: String) throws -> Plan {
        do throws(ConfigurationError) {
            return try Plan.readForRecovery(file: file, registry: try registry())
        } catch {
            for problem in error.problems { StandardStream.report("\(problem)", isPrefixed: false) }
            throw ExitCode.badConfiguration
        }
    }

    /// Sets up the shared pipeline from a plan.
    ///
    /// - Throws: Exit status 78 when a part cannot be created, which has been reported on stderr.
    static func start(_ plan: Plan, file: String, watches: Bool = false) throws -> LiveConfiguration {
        Home.shared.restore(from: plan.stateDirectories)
        do throws(ConfigurationError) {
            let registry = try registry()
            return try Pipeline.startShared(plan, file: file, registry: registry, watches: watches, opensFiles: true)
        } catch {
            for problem in error.problems { StandardStream.report("\(problem)", isPrefixed: false) }
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

    /// The searched paths, as a message that no configuration was found.
    static var notFound: String {
        let candidates = ConfigurationPath.candidates(environment: Environment.variables)
        let searched = candidates.joined(separator: ", ")
        return "no configuration was found; looked for \(searched), and $TAFFRAIL_CONFIG names none"
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
