internal import Synchronization

/// What a pipeline is to be made of. Nothing is opened before its first record.
struct PipelinePlan: Sendable {
    var queue = QueueOptions()
    var levels = LevelTable(root: .info, byName: [:])
    /// Whether the opening writes the line `Logger initialized`.
    var announces = true
    /// Makes the sinks; called once, at the first record.
    var makeSinks: @Sendable () -> [LiveSink]
}

/// Sinks on their way into a pipeline: handed over once.
final class SinkList: @unchecked Sendable {
    private let isTaken = Atomic<Bool>(false)
    private var sinks: [LiveSink]

    init(_ sinks: sending [LiveSink]) { self.sinks = sinks }

    func take() -> [LiveSink] {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
        defer { sinks = [] }
        return sinks
    }
}
