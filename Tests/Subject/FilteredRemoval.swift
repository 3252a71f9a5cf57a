import Taffrail

/// Logs 30 errors and 60 other records, then changes to a configuration without the log that gets errors only.
func removeFilteredLog(_ errors: FileOptions, besides options: FileOptions) throws {
    func part(_ name: String, _ options: FileOptions, _ filter: SinkFilter = SinkFilter()) -> PlannedPlugin {
        PlannedPlugin(
            PluginInstance(name: name, logDirectory: "/tmp", program: "subject"), plugin: "file", options: options,
            builder: .sink { try FilePlugin.makeSink(options, $0) }, filter: filter)
    }
    var setup = PipelineSetup()
    setup.queue = QueueOptions(capacity: 256 << 10, handleSignals: false)
    setup.sinks = [part("file", options), part("errors", errors, SinkFilter(level: .error))]
    let pipeline = Pipeline(sinks: [], queue: setup.queue)
    try pipeline.change(to: setup)
    for n in 1...90 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
    setup.sinks.removeLast()
    try pipeline.change(to: setup)
}
