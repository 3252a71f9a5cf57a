public import Taffrail

extension MemorySink {
    /// Makes the sink that the options ask for.
    public convenience init(_ options: MemoryOptions, name: String = "memory") {
        self.init(capacity: options.capacity, name: name)
    }
}

extension Sink where Self == MemorySink {
    /// The last records in memory, for a pipeline that is set up in code: `Pipeline(sinks: [.memory()])`.
    public static func memory(_ options: MemoryOptions = MemoryOptions(), named name: String = "memory") -> MemorySink {
        MemorySink(options, name: name)
    }
}
