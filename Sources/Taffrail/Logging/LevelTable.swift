/// The levels of loggers by name.
package struct LevelTable: Sendable {
    package var root: Level
    package var byName: [String: Level]

    package init(root: Level, byName: [String: Level]) {
        self.root = root
        self.byName = byName
    }

    /// Applies a specification such as `info,net.http=trace`: the level of all loggers, and levels by name.
    ///
    /// - Returns: The invalid part, in which case nothing has changed; `nil` on success.
    package mutating func read(_ text: String) -> String? {
        var changed = self
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name: String?
            var word = part
            if let equals = part.firstIndex(of: "=") {
                name = String(part[..<equals])
                word = part[equals...].dropFirst()
            }
            guard name != "", let level = Level(name: String(word)) else { return String(name == "" ? part : word) }
            if let name { changed.byName[name] = level } else { changed.root = level }
        }
        self = changed
        return nil
    }

    /// Returns the level of the longest prefix in whole parts: `net.http` has that of `net.http`, else `net`, else the
    /// root's.
    package func level(of name: String) -> Level {
        var rest = name[...]
        while !rest.isEmpty {
            if let level = byName[String(rest)] { return level }
            guard let dot = rest.lastIndex(of: ".") else { break }
            rest = rest[..<dot]
        }
        return root
    }
}
