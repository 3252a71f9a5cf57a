/// Keeps values out of the queue: the names of attributes whose values are replaced during encoding, and the guards
/// that review others.
///
/// A log call reads one word, which is 0 while there are neither names nor guards.
final class KeyRedaction: Sendable {
    static let replacement = "<redacted>"

    /// Those without guards. Equal ones are created once, because none is ever freed.
    private static let known = Locked<[KeyRedaction]>([])

    private let names: Set<String>
    /// The names in lower case, for keys outside ASCII.
    private let lowercased: Set<String>
    /// Those in ASCII, for the other keys.
    private let keys: [[UInt8]]
    private let guards: GuardList

    private init(_ names: Set<String>, guards: [any AttributeGuard]) {
        self.names = names
        self.guards = GuardList(guards)
        var lowercased: Set<String> = []
        var keys: [[UInt8]] = []
        for name in names {
            let name = name.lowercased()
            lowercased.insert(name)
            let key = Array(name.utf8)
            if !key.contains(where: { $0 >= 0x80 }), !keys.contains(key) { keys.append(key) }
        }
        self.lowercased = lowercased
        self.keys = keys
    }

    /// Returns the redaction by some names and guards; `nil` if there are none.
    static func make(_ names: Set<String>, guards: [any AttributeGuard]) -> KeyRedaction? {
        guard guards.isEmpty else { return KeyRedaction(names, guards: guards) }
        guard !names.isEmpty else { return nil }
        return known.withLock { known in
            if let found = known.first(where: { $0.names == names }) { return found }
            let made = KeyRedaction(names, guards: [])
            known.append(made)
            return made
        }
    }

    /// Returns whether the name is among those to redact, ignoring case.
    private func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        if key.contains(where: { $0 >= 0x80 }) {
            return lowercased.contains(String(decoding: key, as: UTF8.self).lowercased())
        }
        return keys.contains { name in
            name.count == key.count && zip(name, key).allSatisfy { $0 == Self.lowercased($1) }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }

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
        guard (!names.isEmpty && hasMatch(view)) || guards.watches(view) else { return start }
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
    private func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        if names.isEmpty { return nil }
        return bytes.withUnsafeBytes { hasMatch($0) ? replacingValues(in: $0) : nil }
    }

    private func hasMatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while let entry = AttributeCodec.next(&rest) {
            if contains(entry.key) { return true }
            if entry.kind == .map || entry.kind == .array, hasMatch(entry.value) { return true }
        }
        return false
    }

    private func replacingValues(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        var start = 0
        while let entry = AttributeCodec.next(&rest) {
            let end = bytes.count - rest.count
            if contains(entry.key) {
                Self.append(.string, entry.key, Array(Self.replacement.utf8), to: &result)
            } else if entry.kind == .map || entry.kind == .array, hasMatch(entry.value) {
                Self.append(entry.kind, entry.key, replacingValues(in: entry.value), to: &result)
            } else {
                result += bytes[start..<end]
            }
            start = end
        }
        return result
    }

    private static func append(
        _ kind: AttributeCodec.Kind, _ key: UnsafeRawBufferPointer, _ value: [UInt8], to result: inout [UInt8]
    ) {
        result.append(kind.rawValue)
        result.append(UInt8(truncatingIfNeeded: key.count))
        result += key
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count).littleEndian) { result += $0 }
        result += value
    }
}

extension PermanentReference<KeyRedaction> {
    /// Replaces names and guards.
    func set(_ names: Set<String>, guards: [any AttributeGuard] = []) { set(.make(names, guards: guards)) }
}
