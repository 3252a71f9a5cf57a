/// The parts of a pipeline: checked, but not created.
package struct PipelineSetup: Sendable {
    package var queue = QueueOptions()
    package var level = Level.info
    package var levels: [String: Level] = [:]
    package var guards: [PlannedPlugin] = []
    package var processors: [PlannedPlugin] = []
    package var sinks: [PlannedPlugin] = []

    package init() {}

    /// The state directory of the runs of a program with this setup. Nothing is opened.
    package var stateDirectories: [String] {
        if let directory = queue.directory { return [directory] }
        // Sinks without a directory need not be created if there is a file.
        let files = sinks.filter { $0.options is FileOptions }
        let made = (files.isEmpty ? sinks : files).compactMap { try? $0.makeSink() }
        let directories = made.compactMap(\.stateDirectory)
        return directories.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// The reason why a pipeline was not changed.
package struct PipelineChangeError: Error, CustomStringConvertible {
    /// The part that could not be created; `nil` if no part is to blame.
    package let part: String?
    package let reason: String

    package init(part: String?, reason: String) {
        self.part = part
        self.reason = reason
    }

    package var description: String { part.map { "\($0): \(reason)" } ?? reason }
}
