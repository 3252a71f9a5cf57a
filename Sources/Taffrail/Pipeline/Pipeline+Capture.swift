extension Pipeline {
    /// Creates a capture of the records that a task logs with this pipeline's loggers, at or above a level.
    package func makeCapture(from level: Level) -> RecordCapture { RecordCapture(of: self, from: level) }

    /// Captures the records that the task and its children log with this pipeline's loggers while `operation` runs;
    /// they do not reach the queue.
    package func capture<R>(into capture: RecordCapture, operation: () throws -> R) rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try TaskContext.capturing(into: capture).bind(operation: operation)
    }

    /// Captures the records that the task and its children log with this pipeline's loggers while `operation` runs;
    /// they do not reach the queue.
    package nonisolated(nonsending) func capture<R>(
        into capture: RecordCapture, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try await TaskContext.capturing(into: capture).bind(operation: operation)
    }
}
