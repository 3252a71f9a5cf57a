#if Store
package import Taffrail

/// The position up to which the records of a run are stored: saved in the same transaction as the last of them.
package struct RingMark: Sendable, Hashable {
    /// The run.
    package var run: RingID
    /// The ring's position after the last record.
    package var position: UInt64
    /// The ring's file; `nil` for a queue in memory.
    package var path: String?

    package init(run: RingID, position: UInt64, path: String? = nil) {
        self.run = run
        self.position = position
        self.path = path
    }
}
#endif
