#if Configuration
internal import Taffrail

extension Plan {
    /// Adds the parts of a configuration to this plan, which is built into a program; the configuration's levels and
    /// queue replace those of the plan.
    ///
    /// - Parameters:
    ///   - other: The configuration. The default log file of one without `plugins` is not added.
    ///   - directory: The directory for the state and the relative paths of its parts.
    /// - Throws: ``ConfigurationError`` if a name or a destination occurs in both.
    package mutating func add(_ other: Plan, statesIn directory: String) throws(ConfigurationError) {
        var problems: [ConfigurationProblem] = []
        for var instance in other.plugins where instance.line > 0 {
            if plugins.contains(where: { $0.name == instance.name }) {
                problems.append(
                    instance.problem("this name is in use; choose another one, with type: \(instance.plugin.plugin)"))
            }
            instance.plugin.instance.logDirectory = directory
            plugins.append(instance)
        }
        (level, levels, queue) = (other.level, other.levels, other.queue)
        guards += other.guards
        processors += other.processors
        sections.merge(other.sections) { $1 }
        if problems.isEmpty { problems = duplicateDestinations }
        if let problem = surplusOfSinks, let last = sinks.last { problems.append(last.problem(problem)) }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        warnings += other.warnings.filter { $0.line > 1 }
    }

    /// Returns the destination of the first instance of a plugin; `nil` if there is none.
    ///
    /// - Parameter directory: The directory of its relative paths.
    package func destination(of plugin: String, in directory: String) -> String? {
        guard var found = plugins.first(where: { $0.plugin.plugin == plugin })?.plugin else { return nil }
        found.instance.logDirectory = directory
        return found.options.destinations(of: found.instance).first
    }
}
#endif
