/// A source of records: a receiver of positions, a replay, a pipe.
///
/// A pipeline started from a configuration runs each input in its own task, and cancels it at the end or when the
/// configuration no longer contains it.
public protocol Input: Sendable {
    /// Logs into the pipeline until the source is exhausted or the task is cancelled. Called once.
    ///
    /// It must not block its thread for long. It may return early only when it is finished: an input that loses its
    /// source retries by itself.
    ///
    /// - Throws: The error that ends it, which is reported through ``Diagnostics``. Everything else continues.
    func run(into pipeline: Pipeline) async throws
}
