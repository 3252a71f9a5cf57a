/// The loggers of a pipeline by name, and the levels that their gates have. Under the pipeline's registry lock.
struct LoggerTable {
    private let root: UnsafeMutablePointer<LoggerState>
    private var sources: [String: UnsafeMutablePointer<LoggerState>] = [:]
    /// What the configuration says.
    private(set) var levels: LevelTable
    /// How many backtraces are on, by the level that they begin at.
    private var backtraces = [Int](repeating: 0, count: Level.allCases.count)

    /// How many loggers with a name there are.
    var count: Int { sources.count }

    init(root: UnsafeMutablePointer<LoggerState>, levels: LevelTable) {
        self.root = root
        self.levels = levels
    }

    /// The source of a name, made where there is none yet.
    mutating func source(
        _ name: String, make: () -> UnsafeMutablePointer<LoggerState>
    ) -> UnsafeMutablePointer<LoggerState> {
        if let source = sources[name] { return source }
        let source = make()
        source.setLevel(levels.level(of: name), lowest: lowestBacktrace)
        sources[name] = source
        return source
    }

    /// Has all loggers use other limits of their queue.
    func bind(_ queue: WriteQueue, _ sites: CallSites) {
        root.bind(queue, sites)
        for source in sources.values { source.bind(queue, sites) }
    }

    /// Changes the levels, and gives them to the gates.
    mutating func changeLevels(_ change: (inout LevelTable) -> Void) {
        change(&levels)
        applyLevels()
    }

    /// Counts a backtrace that begins (1) or ends (-1) at a level, and gives the gates their levels where these change.
    mutating func countBacktrace(at level: Level, _ count: Int) {
        let before = lowestBacktrace
        backtraces[Int(level.rawValue)] += count
        if lowestBacktrace != before { applyLevels() }
    }

    /// Gives the gates their levels.
    func applyLevels() {
        let lowest = lowestBacktrace
        root.setLevel(levels.root, lowest: lowest)
        for (name, source) in sources { source.setLevel(levels.level(of: name), lowest: lowest) }
    }

    /// The lowest level that a backtrace wants.
    private var lowestBacktrace: Level? { Level.allCases.first { backtraces[Int($0.rawValue)] > 0 } }
}
