internal import Synchronization

/// The names of attributes whose values never reach the queue: they are replaced while a record is made.
///
/// A log call reads one word, which is 0 as long as there are none. Tables live as long as the process, because a
/// call may still read the one before; equal ones are made once.
struct KeyRedaction: @unchecked Sendable {
    static let replacement = "<redacted>"

    /// Names in lower case.
    final class Table: Sendable {
        let names: Set<String>
        private let keys: [[UInt8]]

        init(_ names: Set<String>) {
            self.names = names
            keys = names.map { Array($0.lowercased().utf8) }
        }

        /// Whether the name is one of them, in any case of its Latin letters.
        func contains(_ key: UnsafeRawBufferPointer) -> Bool {
            keys.contains { name in
                name.count == key.count && zip(name, key).allSatisfy { $0 == Self.lowercased($1) }
            }
        }

        private static func lowercased(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
        }
    }

    private static let tables = Guarded<[Set<String>: Unmanaged<Table>]>([:])

    private let word: UnsafeMutablePointer<Atomic<UInt>>

    /// Makes one without names, which lives as long as the process.
    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
    }

    /// Replaces the names.
    func set(_ keys: Set<String>) {
        guard !keys.isEmpty else { return word.pointee.store(0, ordering: .releasing) }
        let bits = Self.tables.withLock { tables in
            let table = tables[keys] ?? .passRetained(Table(keys))
            tables[keys] = table
            return UInt(bitPattern: table.toOpaque())
        }
        word.pointee.store(bits, ordering: .releasing)
    }

    /// The names.
    var keys: Set<String> { table?.names ?? [] }

    /// The names as a table; `nil` when there are none.
    @inline(__always)
    var table: Table? {
        let bits = word.pointee.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        return Unmanaged<Table>.fromOpaque(pointer).takeUnretainedValue()
    }
}

extension KeyRedaction.Table {
    /// Replaces the values in the attributes that lie between `start` and the scratch's cursor.
    func clean(from start: Int, in scratch: Scratch) {
        let bytes = scratch.bytes(from: start)
        guard let cleaned = cleaned(bytes) else { return }
        scratch.cursor = start
        cleaned.withUnsafeBytes { scratch.append($0) }
    }

    /// Encoded attributes with the values replaced; `nil` when there is nothing to replace.
    func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { all in
            guard hasMatch(all) else { return nil }
            var result: [UInt8] = []
            var rest = all
            while true {
                let before = rest
                guard let entry = AttributeCodec.next(&rest) else { return result }
                appendCleaned(entry, raw: before.prefix(before.count - rest.count), to: &result)
            }
        }
    }

    private func hasMatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while let entry = AttributeCodec.next(&rest) {
            if contains(entry.key) { return true }
            if entry.kind == .map || entry.kind == .array, hasMatch(entry.value) { return true }
        }
        return false
    }

    private func appendCleaned(
        _ entry: AttributeCodec.Entry, raw: Slice<UnsafeRawBufferPointer>, to result: inout [UInt8]
    ) {
        let isNested = entry.kind == .map || entry.kind == .array
        if contains(entry.key) {
            let text = KeyRedaction.replacement
            appendHead(.string, entry.key, length: text.utf8.count, to: &result)
            result += text.utf8
        } else if isNested, hasMatch(entry.value) {
            var inner: [UInt8] = []
            var rest = entry.value
            while true {
                let before = rest
                guard let element = AttributeCodec.next(&rest) else { break }
                appendCleaned(element, raw: before.prefix(before.count - rest.count), to: &inner)
            }
            appendHead(entry.kind, entry.key, length: inner.count, to: &result)
            result += inner
        } else {
            result += raw
        }
    }

    private func appendHead(
        _ kind: AttributeCodec.Kind, _ key: UnsafeRawBufferPointer, length: Int, to result: inout [UInt8]
    ) {
        result.append(kind.rawValue)
        result.append(UInt8(truncatingIfNeeded: key.count))
        result += key
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { result += $0 }
    }
}
