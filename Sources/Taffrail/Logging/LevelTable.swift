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
