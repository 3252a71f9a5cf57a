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

/// The levels of loggers by name.
struct LevelTable: Sendable, Hashable {
    var root: Level
    var byName: [String: Level]

    /// The level of the longest prefix in whole parts: `net.http` has that of `net.http`, else `net`, else the root's.
    func level(of name: String) -> Level {
        var rest = name[...]
        while !rest.isEmpty {
            if let level = byName[String(rest)] { return level }
            guard let dot = rest.lastIndex(of: ".") else { break }
            rest = rest[..<dot]
        }
        return root
    }
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
