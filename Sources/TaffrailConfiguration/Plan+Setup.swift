#if Configuration
package import Taffrail

extension Plan {
    /// The setup for the core: the sinks and processors, each with its instance.
    package var setup: PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = queue
        setup.level = level
        setup.levels = levels
        setup.sinks = plugins.filter { $0.plugin.kind == .sink }.map(\.plugin)
        setup.guards = guards.map(\.plugin)
        // A processor may occur twice; its index distinguishes the instances.
        setup.processors = processors.enumerated().map { place, processor in
            var plugin = processor.plugin
            plugin.instance.name = "processors[\(place)].\(processor.name)"
            return plugin
        }
        return setup
    }

    /// The state directories of the runs of a program with this plan. Sinks are created, which may create
    /// directories, but their destinations are not opened.
    package var stateDirectories: [String] {
        if let directory = queue.directory { return [directory] }
        let sinks = setup.sinks
        // Sinks without a directory need not be created if there is a file.
        let files = sinks.filter { $0.options is FileOptions }
        let made = (files.isEmpty ? sinks : files).compactMap { try? $0.makeSink() }
        let directories = made.compactMap(\.stateDirectory)
        return directories.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the location of an instance that a pipeline could not create.
    func problem(_ error: PipelineChangeError) -> ConfigurationProblem {
        let name = error.part
        let instance =
            (plugins + guards).first { $0.name == name }
            ?? processors.enumerated().first { "processors[\($0.offset)].\($0.element.name)" == name }?.element
        return ConfigurationProblem(
            file: instance?.file ?? file ?? "the configuration", line: instance?.line ?? 0,
            column: instance?.column ?? 0, message: "\(error)")
    }
}
#endif
