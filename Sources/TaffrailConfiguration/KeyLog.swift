#if Configuration
internal import Taffrail
internal import Yams

/// Tracks which keys of each mapping were requested while one plugin's options are decoded.
final class KeyLog {
    /// The keys of one mapping.
    struct Visit {
        var mapping: Node.Mapping
        var known: Set<String> = []
        /// Whether `known` contains all keys that can ever be requested.
        var isComplete = false
    }

    private(set) var visits: [String: Visit] = [:]
    /// The sections that the options may refer to.
    let sections: PluginRegistry.Sections

    init(_ sections: PluginRegistry.Sections) { self.sections = sections }

    /// Records that a mapping was opened, with all of its keys if the key type lists them.
    func open(_ mapping: Node.Mapping, path: String, allKeys: [String]?) {
        var visit = visits[path] ?? Visit(mapping: mapping)
        visit.known.formUnion(allKeys ?? [])
        if allKeys != nil { visit.isComplete = true }
        visits[path] = visit
    }

    /// Records that a key was requested.
    func ask(_ key: String, path: String) { visits[path]?.known.insert(key) }
}
#endif
