/// Keeps values out of the queue: the names of attributes whose values are replaced during encoding, and the guards
/// that review others.
///
/// A log call reads one word, which is 0 while there are neither names nor guards. Tables are never freed,
/// because a call may still read the previous one; equal tables without guards are created once.
struct KeyRedaction: Sendable {
    static let replacement = "<redacted>"

    /// Names in lower case, and guards.
    final class Table: Sendable {
        let names: Set<String>
        let guards: GuardList
        private let keys: [[UInt8]]

        init(_ names: Set<String>, guards: GuardList) {
            self.names = names
            self.guards = guards
            keys = names.map { Array($0.lowercased().utf8) }
        }

        /// Returns whether the name is in the table, ignoring the case of Latin letters.
        func contains(_ key: UnsafeRawBufferPointer) -> Bool {
            keys.contains { name in
                name.count == key.count && zip(name, key).allSatisfy { $0 == Self.lowercased($1) }
            }
        }

        private static func lowercased(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
        }
    }

    private static let tables = Locked<[Set<String>: Table]>([:])

    private let reference = PermanentReference<Table>()

    /// Replaces names and guards.
    func set(_ keys: Set<String>, guards: [any AttributeGuard] = []) {
        guard guards.isEmpty else { return reference.set(Table(keys, guards: GuardList(guards))) }
        guard !keys.isEmpty else { return reference.set(nil) }
        reference.set(
            Self.tables.withLock { tables in
                let table = tables[keys] ?? Table(keys, guards: GuardList([]))
                tables[keys] = table
                return table
            })
    }

    /// Restores a table that was in use before; `nil` restores none.
    func restore(_ table: Table?) { reference.set(table) }

    /// The names and guards; `nil` when there are none.
    @inline(__always)
    var table: Table? { reference.object }

    /// Identifies the names and guards; 0 when there are none. A log call then counts no reference.
    @inline(__always)
    var identity: UInt { reference.identity }

    /// Returns the names and guards with an ``identity``.
    static func table(_ identity: UInt) -> Table? { PermanentReference<Table>.object(identity) }
}

extension KeyRedaction.Table {
    /// Replaces values in the attributes of a record that is being encoded, and runs the guards on it.
    ///
    /// - Parameters:
    ///   - message: The offset of its message in the scratch.
    ///   - attributes: The offset of its attributes, which end at the scratch's cursor.
    ///   - event: Its event name.
    /// - Returns: The offset of the attributes, which changes when the message was replaced; `nil` when the record must
    ///   not be logged.
    @inline(never)
    func redact(message: Int, attributes start: Int, event: String?, in scratch: Scratch) -> Int? {
        let view = UnsafeRawBufferPointer(start: scratch.pointer(at: start), count: scratch.cursor - start)
        guard (!keys.isEmpty && hasMatch(view)) || guards.watches(view) else { return start }
        var bytes = scratch.bytes(from: start)
        if let redacted = redacted(bytes) {
            bytes = redacted
            scratch.cursor = start
            scratch.append(bytes)
        }
        guard bytes.withUnsafeBytes(guards.watches) else { return start }
        var subject = GuardedAttributes(eventName: event, attributes: AttributeCodec.entries(bytes))
        guard guards.review(&subject) == .keep else { return nil }
        scratch.cursor = start
        if let text = subject.message {
            scratch.cursor = message
            scratch.append(text)
        }
        let newStart = scratch.cursor
        AttributeCodec.append(subject.attributes, to: scratch)
        return newStart
    }

    /// Returns the encoded attributes of an ambient context after redaction and the guards.
    func cleanedContext(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = redacted(bytes) ?? bytes
        guard bytes.withUnsafeBytes(guards.watches) else { return bytes }
        var subject = GuardedAttributes(attributes: AttributeCodec.entries(bytes))
        guard guards.review(&subject) == .keep else { return [] }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return [] }
        defer { scratch.end(frame) }
        scratch.cursor = frame.start
        AttributeCodec.append(subject.attributes, to: scratch)
        return scratch.bytes(from: frame.start)
    }

    /// Returns encoded attributes with the values replaced; `nil` when nothing needs replacing.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        if keys.isEmpty { return nil }
        return bytes.withUnsafeBytes { all in
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
