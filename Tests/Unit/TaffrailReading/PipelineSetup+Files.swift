import TaffrailTestSupport

@testable import Taffrail

extension PipelineSetup {
    private struct Options: PluginOptions {}

    /// A configuration with logs of these names, some of which have a filter of their own.
    static func files(
        _ names: [String], in directory: TemporaryDirectory, format: FileOptions.Format,
        filters: [String: SinkFilter] = [:]
    ) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        setup.sinks = names.map { name in
            let path = directory.file(name)
            return PlannedPlugin(
                PluginInstance(name: "file:" + name, logDirectory: directory.path, program: "test"),
                plugin: "file", options: Options(),
                builder: .sink { _ in try FileSink(FileOptions(path: path, format: format)) },
                filter: filters[name] ?? SinkFilter())
        }
        return setup
    }
}
