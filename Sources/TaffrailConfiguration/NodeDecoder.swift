#if Configuration
internal import Taffrail
internal import Yams

/// A strict decoder over YAML nodes: text is no number, a number no text in quotes, and no key goes unread.
struct NodeDecoder: Decoder {
    let node: Node
    let codingPath: [any CodingKey]
    let log: KeyLog
    var userInfo: [CodingUserInfoKey: Any] {
        PluginRegistry.Sections.key.map { [$0: log.sections] } ?? [:]
    }

    init(_ node: Node, at path: [any CodingKey] = [], log: KeyLog) {
        self.node = node
        codingPath = path
        self.log = log
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch node {
        case .mapping(let mapping):
            return KeyedDecodingContainer(try NodeKeyedContainer<Key>(mapping, of: self))
        case .scalar where node.isNothing && codingPath.isEmpty:
            // `console:` alone is a plugin with all its defaults.
            return KeyedDecodingContainer(try NodeKeyedContainer<Key>(Node.Mapping([]), of: self))
        default:
            throw mismatch("a mapping")
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .sequence(let sequence) = node else { throw mismatch("a list") }
        return NodeUnkeyedContainer(Array(sequence), of: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { NodeValueContainer(decoder: self) }

    /// An error that names what is wanted and what stands here.
    func mismatch(_ wanted: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "must be \(wanted), is \(node.phrase)"))
    }

    /// Reads any type; an enumeration of strings is told with all its cases.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let choices = Self.choices(of: type) {
            let text = try NodeValueContainer(decoder: self).decode(String.self)
            guard choices.contains(text) else {
                let guess = Suggestion.nearest(to: text, among: choices).map { "; did you mean \"\($0)\"?" } ?? ""
                let message = "must be one of \(choices.joined(separator: ", ")), is \(node.phrase)\(guess)"
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: codingPath, debugDescription: message))
            }
        }
        if type == Duration.self, let duration = try DurationOption(from: self).duration as? T { return duration }
        return try T(from: self)
    }

    private static func choices<T>(of type: T.Type) -> [String]? {
        guard T.self is any RawRepresentable.Type, let cases = (T.self as? any CaseIterable.Type)?.names else {
            return nil
        }
        return cases.isEmpty ? nil : cases
    }
}

extension CaseIterable {
    /// The raw texts of all cases, or the coding keys' names; empty for other enumerations.
    static var names: [String] {
        allCases.compactMap { value in
            if let key = value as? any CodingKey { return key.stringValue }
            return (value as? any RawRepresentable)?.rawValue as? String
        }
    }
}

/// Which keys were asked for in which mapping, while one plugin's options are read.
final class KeyLog {
    /// One mapping's.
    struct Visit {
        var mapping: Node.Mapping
        var known: Set<String> = []
        /// Whether `known` holds all keys that will ever be asked for.
        var isComplete = false
    }

    private(set) var visits: [String: Visit] = [:]
    /// What the options may refer to.
    let sections: PluginRegistry.Sections

    init(_ sections: PluginRegistry.Sections) { self.sections = sections }

    /// Remembers that a mapping was opened, with all of its keys where the key type lists them.
    func open(_ mapping: Node.Mapping, path: String, allKeys: [String]?) {
        var visit = visits[path] ?? Visit(mapping: mapping)
        visit.known.formUnion(allKeys ?? [])
        if allKeys != nil { visit.isComplete = true }
        visits[path] = visit
    }

    /// Remembers that a key was asked for.
    func ask(_ key: String, path: String) { visits[path]?.known.insert(key) }
}

extension [any CodingKey] {
    /// `rotate.size`, `endpoints[2].url`.
    var dotted: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
#endif
