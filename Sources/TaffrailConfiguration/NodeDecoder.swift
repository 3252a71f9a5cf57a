#if Configuration
internal import Taffrail
internal import Yams

/// A strict decoder for YAML nodes: a string is not a number, a quoted number is not a number, and no key is ignored.
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
            // `console:` alone enables a plugin with its defaults.
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

    /// Returns an error with the expected type and the actual value.
    func mismatch(_ wanted: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "must be \(wanted), not \(node.phrase)"))
    }

    /// Decodes any type; the error for an enumeration of strings lists its cases.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let choices = Self.choices(of: type) {
            let text = try NodeValueContainer(decoder: self).decode(String.self)
            guard choices.contains(text) else {
                let guess = Suggestion.nearest(to: text, among: choices).map { "; did you mean \"\($0)\"?" } ?? ""
                let message = "must be one of \(choices.joined(separator: ", ")), not \(node.phrase)\(guess)"
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
    /// The raw values of all cases, or the names of the coding keys; empty for other enumerations.
    static var names: [String] {
        allCases.compactMap { value in
            if let key = value as? any CodingKey { return key.stringValue }
            return (value as? any RawRepresentable)?.rawValue as? String
        }
    }
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
