/// The parts of a pipeline: checked, but not created.
package struct PipelineSetup: Sendable {
    package var queue = QueueOptions()
    package var level = Level.info
    package var levels: [String: Level] = [:]
    package var guards: [PlannedPlugin] = []
    package var processors: [PlannedPlugin] = []
    package var sinks: [PlannedPlugin] = []

    package init() {}
}
