/// A source of records: a receiver of positions, a replay, a pipe.
///
/// A pipeline that has been started from a configuration runs each input in a task of its own and cancels it at the
/// end, or when the configuration no longer has it.
public protocol Input: Sendable {
    /// Logs into the pipeline until there is nothing left, or until the task is cancelled. Called once.
    ///
    /// It does not block its thread for long; what waits, awaits. It may return early only when it is done for good: an
    /// input that loses its source tries again by itself.
    ///
    /// - Throws: What ends it for good; said through ``Diagnostics``, while everything else goes on.
    func run(into pipeline: Pipeline) async throws
}
