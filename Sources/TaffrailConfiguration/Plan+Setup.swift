#if Configuration
package import Taffrail

extension Plan {
    /// What the core makes of the plan: its sinks and processors, each with its place.
    package var setup: PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = queue
        setup.level = level
        setup.levels = levels
        setup.sinks = plugins.filter { $0.plugin.kind == .sink }.map(\.plugin)
        setup.guards = guards.map(\.plugin)
        // A processor may be used twice; its place in the list tells them apart.
        setup.processors = processors.enumerated().map { place, processor in
            var plugin = processor.plugin
            plugin.instance.name = "processors[\(place)].\(processor.name)"
            return plugin
        }
        return setup
    }

    /// Where the state of a program's runs is that has this plan.
    package var stateDirectories: [String] { setup.stateDirectories }

    /// Where the instance stands that a pipeline could not make.
    func problem(_ error: PipelineChangeError) -> ConfigurationProblem {
        let name = error.part
        let instance =
            (plugins + guards).first { $0.name == name }
            ?? processors.enumerated().first { "processors[\($0.offset)].\($0.element.name)" == name }?.element
        return ConfigurationProblem(
            file: file ?? "the configuration", line: instance?.line ?? 0, column: instance?.column ?? 0,
            message: "\(error)")
    }
}
#endif
