/// The outcome of logging a record.
package enum Admission: Sendable {
    /// The record is in the queue.
    case queued
    /// The record is in the queue, truncated because it was too long.
    case truncated
    /// The record is not in the queue.
    case dropped
    /// The record is not in the queue, as configured.
    case withheld
}
