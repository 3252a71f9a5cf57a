#if Configuration
internal import Taffrail

extension Plan {
    /// Returns the changes when this plan replaces another, such as `added errors; removed gpsd; changed file, level`;
    /// empty if there are none.
    package func changes(from other: Plan) -> String {
        let (now, before) = (parts, other.parts)
        var changed: [String] = []
        for (name, part) in now {
            guard let old = before.first(where: { $0.name == name })?.part else { continue }
            if !part.isSame(as: old) || part.filter != old.filter { changed.append(name) }
        }
        if level != other.level { changed.append("level") }
        if levels != other.levels { changed.append("levels") }
        if queue != other.queue { changed.append("queue") }
        let groups = [
            ("added", now.map(\.name).filter { name in !before.contains { $0.name == name } }),
            ("removed", before.map(\.name).filter { name in !now.contains { $0.name == name } }), ("changed", changed),
        ]
        return groups.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
    }

    private var parts: [(name: String, part: PlannedPlugin)] {
        (guards + processors + plugins).map { ($0.name, $0.plugin) }
    }
}
#endif
