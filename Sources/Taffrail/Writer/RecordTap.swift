/// Sees the records of a pipeline as they pass its writer, without being a sink: it has no position, so that it neither
/// holds up the queue nor is offered missed records again.
package protocol RecordTap: AnyObject, Sendable {
    /// Gets records that processors have kept, in the order of their numbers, whether or not a sink has them. The views are
    /// valid only during the call. Called on the writer thread, which it must not hold up: copy the required data.
    func take(_ batch: borrowing RecordBatch)
}
