#if Configuration
internal import Yams

/// A list, decoded from its start.
struct NodeUnkeyedContainer: UnkeyedDecodingContainer {
    private let nodes: [Node]
    private let decoder: NodeDecoder
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex >= nodes.count }

    init(_ nodes: [Node], of decoder: NodeDecoder) {
        self.nodes = nodes
        self.decoder = decoder
    }

    /// The index of an element.
    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map(String.init) ?? "" }
        init(_ index: Int) { intValue = index }
        init?(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    private func element() throws -> NodeDecoder {
        guard currentIndex < nodes.count else { throw decoder.mismatch("a longer list") }
        return NodeDecoder(nodes[currentIndex], at: codingPath + [Index(currentIndex)], log: decoder.log)
    }

    mutating func decodeNil() throws -> Bool {
        let isNothing = try element().node.isNothing
        if isNothing { currentIndex += 1 }
        return isNothing
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try element().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try element().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element()
        currentIndex += 1
        return decoder
    }
}
#endif
