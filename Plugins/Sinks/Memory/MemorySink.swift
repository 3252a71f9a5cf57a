public import Taffrail

extension MemorySink {
    /// Creates the sink for the options.
    public convenience init(_ options: MemoryOptions, name: String = "memory") {
        self.init(capacity: options.capacity, name: name)
    }
}

extension Sink where Self == MemorySink {
    /// Returns the sink, for setting up a pipeline in code: `Pipeline(sinks: [.memory()])`.
    public static func memory(_ options: MemoryOptions = MemoryOptions(), named name: String = "memory") -> MemorySink {
        MemorySink(options, name: name)
    }
}
