/// The loggers of a pipeline by name, and the levels of their gates. Protected by the pipeline's registry lock.
struct LoggerTable {
    /// The states by name; that of the logger without a name is always among them.
    private(set) var sources: [String: UnsafeMutablePointer<LoggerState>]
    /// The configured levels, which the gates of all loggers follow.
    var levels: LevelTable { didSet { applyLevels() } }
    /// The number of active backtraces, by their lowest level.
    private var backtraces = [Int](repeating: 0, count: Level.allCases.count)

    init(root: UnsafeMutablePointer<LoggerState>, levels: LevelTable) {
        sources = ["": root]
        self.levels = levels
    }

    /// Returns the state of a name, created if missing.
    mutating func source(
        _ name: String, make: () -> UnsafeMutablePointer<LoggerState>
    ) -> UnsafeMutablePointer<LoggerState> {
        if let source = sources[name] { return source }
        let source = make()
        source.setLevel(levels.level(of: name), lowest: lowestBacktrace)
        sources[name] = source
        return source
    }

    /// Applies other queue limits to all loggers.
    func bind(_ queue: WriteQueue, _ sites: CallSites) {
        for source in sources.values { source.bind(queue, sites) }
    }

    /// Counts a backtrace that begins (1) or ends (-1) at a level, and updates the gates if their levels change.
    mutating func countBacktrace(at level: Level, _ count: Int) {
        let before = lowestBacktrace
        backtraces[Int(level.rawValue)] += count
        let lowest = lowestBacktrace
        guard lowest != before else { return }
        // The configured levels are as before: no name is looked up for this, which may happen twice in each call.
        for source in sources.values { source.setLowest(lowest) }
    }

    /// Applies the levels to the gates.
    func applyLevels() {
        let lowest = lowestBacktrace
        for (name, source) in sources { source.setLevel(levels.level(of: name), lowest: lowest) }
    }

    /// The lowest level that a backtrace wants.
    private var lowestBacktrace: Level? { Level.allCases.first { backtraces[Int($0.rawValue)] > 0 } }
}
