public import Taffrail

/// The size of a spool, and the action when it is full.
public struct SpoolOptions: Sendable, Hashable {
    /// The action when a spool is full.
    public enum Full: String, Sendable, Hashable, CaseIterable, Decodable {
        /// The oldest records are dropped.
        case dropOldest = "drop_oldest"
        /// The newest records are dropped.
        case dropNewest = "drop_newest"
        /// The sink accepts no records until there is space; they stay in the queue.
        case hold
    }

    /// The directory of the spool, absolute. Empty: the default directory of the sink that has these options.
    public var directory: String
    /// The maximum size of the spool. Default: 256 MiB.
    public var size: ByteSize
    /// The age after which a record is dropped. Default `nil`: any age.
    public var age: Duration?
    /// The action when it is full. Default: the oldest records are dropped.
    public var whenFull: Full

    /// Creates options.
    public init(
        directory: String, size: ByteSize = .mebibytes(256), age: Duration? = nil, whenFull: Full = .dropOldest
    ) {
        self.directory = directory
        self.size = size
        self.age = age
        self.whenFull = whenFull
    }

    /// The directory of the sink's state: the `.taffrail` that the spool is in, or one in the spool.
    package var stateDirectory: String {
        let parent = Directory.parent(of: directory) ?? "."
        return parent.hasSuffix("/.taffrail") ? parent : directory + "/.taffrail"
    }

    /// The length at which a segment ends, in bytes.
    var segmentSize: Int64 { Int64(min(8 << 20, max(64 << 10, size.bytes / 8))) }
}
