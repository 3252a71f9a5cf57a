#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration

/// The configuration that a command works with.
enum ConfigurationFlag {
    /// Reads and checks a file, or the one that `TAFFRAIL_CONFIG` or the search path names; `nil` where there is none.
    ///
    /// - Throws: Exit code 78 when something is wrong with it, which has been said on stderr.
    static func plan(_ path: String?) throws -> (file: String, plan: Plan)? {
        guard let file = path ?? ConfigurationPath.find() else { return nil }
        do throws(ConfigurationError) {
            return (file, try Plan.read(file: file, registry: try registry()))
        } catch {
            for problem in error.problems { StandardStream.complain("\(problem)", isPrefixed: false) }
            throw ExitCode.badConfiguration
        }
    }

    /// Reads a file for a recovery, in which sinks of plugins that the command lacks are left out.
    static func planForRecovery(_ file: String) throws -> Plan {
        do throws(ConfigurationError) {
            return try Plan.readForRecovery(file: file, registry: try registry())
        } catch {
            for problem in error.problems { StandardStream.complain("\(problem)", isPrefixed: false) }
            throw ExitCode.badConfiguration
        }
    }

    /// Sets the shared pipeline up from a plan.
    ///
    /// - Throws: Exit code 78 when something of it cannot be made, which has been said on stderr.
    static func start(_ plan: Plan, file: String, watches: Bool = false) throws -> LiveConfiguration {
        do throws(ConfigurationError) {
            return try Pipeline.startShared(plan, file: file, registry: try registry(), watches: watches)
        } catch {
            for problem in error.problems { StandardStream.complain("\(problem)", isPrefixed: false) }
            throw ExitCode.badConfiguration
        }
    }

    /// All plugins of the command.
    static func registry() throws(ConfigurationError) -> PluginRegistry {
        guard let registry = TaffrailTool.registry else {
            throw ConfigurationError([ConfigurationProblem(file: "taffrail", message: "has no plugins")])
        }
        return registry
    }
}
#endif
