#if Configuration
internal import Yams

/// A mapping, read by key.
struct NodeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let values: [String: Node]
    private let decoder: NodeDecoder
    private let path: String
    var codingPath: [any CodingKey] { decoder.codingPath }

    init(_ mapping: Node.Mapping, of decoder: NodeDecoder) throws {
        self.decoder = decoder
        path = decoder.codingPath.dotted
        var values: [String: Node] = [:]
        for (key, value) in mapping {
            guard case .scalar(let name) = key else { throw decoder.mismatch("a mapping with names as keys") }
            values[name.string] = value
        }
        self.values = values
        decoder.log.open(mapping, path: path, allKeys: (Key.self as? any CaseIterable.Type)?.names)
    }

    var allKeys: [Key] {
        values.keys.compactMap { name in
            decoder.log.ask(name, path: path)
            return Key(stringValue: name)
        }
    }

    func contains(_ key: Key) -> Bool {
        decoder.log.ask(key.stringValue, path: path)
        return values[key.stringValue] != nil
    }

    private func child(_ key: any CodingKey) throws -> NodeDecoder {
        decoder.log.ask(key.stringValue, path: path)
        guard let node = values[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "needs the key \"\(key.stringValue)\""))
        }
        return NodeDecoder(node, at: codingPath + [key], log: decoder.log)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try child(key).node.isNothing }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try child(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }
}
#endif
