extension Pipeline {
    /// Makes room for what a task logs by this pipeline's loggers, from a level on.
    package func makeCapture(from level: Level) -> RecordCapture { RecordCapture(of: self, from: level) }

    /// Has what the task and its children log by this pipeline's loggers kept, and go nowhere else, while `operation` runs.
    package func capture<R>(into capture: RecordCapture, operation: () throws -> R) rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try TaskContext.capturing(into: capture).bind(operation: operation)
    }

    /// Has what the task and its children log by this pipeline's loggers kept, and go nowhere else, while `operation` runs.
    package nonisolated(nonsending) func capture<R>(
        into capture: RecordCapture, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try await TaskContext.capturing(into: capture).bind(operation: operation)
    }
}
