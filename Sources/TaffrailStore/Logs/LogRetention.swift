#if Store
public import Taffrail
public import TaffrailQuery

/// The limits of a store of records; `nil` means no limit.
public struct LogRetention: Sendable, Hashable {
    /// A part of the records, and its maximum age.
    public struct Stream: Sendable, Hashable {
        /// The records.
        public var selection: LogSelection
        /// How long they are kept after their arrival.
        public var age: Duration

        /// Creates a stream.
        public init(_ selection: LogSelection, age: Duration) {
            self.selection = selection
            self.age = age
        }
    }

    /// How long records are kept after their arrival.
    public var age: Duration?
    /// The maximum size of the database. Above it, the earliest arrivals are deleted.
    public var size: ByteSize?
    /// Parts of the records that are kept for a shorter time.
    public var streams: [Stream] = []

    /// Creates a retention that keeps everything.
    public init() {}

    /// Whether everything is kept.
    public var keepsAll: Bool { self == LogRetention() }
}
#endif
