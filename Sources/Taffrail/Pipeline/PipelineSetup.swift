/// The parts of a pipeline: checked, but not created.
package struct PipelineSetup: Sendable {
    package var queue = QueueOptions()
    package var level = Level.info
    package var levels: [String: Level] = [:]
    package var guards: [PlannedPlugin] = []
    package var processors: [PlannedPlugin] = []
    package var sinks: [PlannedPlugin] = []

    package init() {}

    /// Creates the processors, and the guards of log calls, which the processors include for records logged without.
    package func makeProcessors() throws(PipelineChangeError) -> (chain: ProcessorChain, guards: [any AttributeGuard]) {
        var made: (processors: [any Processor], guards: [any AttributeGuard]) = ([], [])
        for part in processors + guards {
            do {
                switch part.builder {
                case .processor(let make): made.processors.append(try make(part.instance))
                case .attributeGuard(let make): made.guards.append(try make(part.instance))
                default: break
                }
            } catch {
                throw PipelineChangeError(part: part.name, reason: "\(error)")
            }
        }
        return (ProcessorChain(made.processors, guarding: GuardProcessor(made.guards)), made.guards)
    }
}
