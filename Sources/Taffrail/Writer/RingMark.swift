/// A position in a run's ring, as a sink stores it with its data.
package struct RingMark: Sendable, Equatable {
    /// The run.
    package var run: RingID
    /// The ring's position after the last record.
    package var position: UInt64
    /// The ring's file; `nil` for a queue in memory, and where it is not stored.
    package var path: String?

    package init(run: RingID, position: UInt64, path: String? = nil) {
        self.run = run
        self.position = position
        self.path = path
    }
}
