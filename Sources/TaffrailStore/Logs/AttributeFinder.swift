#if Store
internal import Taffrail
internal import TaffrailText

/// Finds an attribute in the JSON object of a row, without reading the others.
struct AttributeFinder {
    private let key: String
    /// The key as it is written in the object, with its quotes and the colon.
    private let pattern: [UInt8]
    /// Whether the key contains escapes of characters beyond ASCII, which earlier versions wrote without.
    private let isEscaped: Bool

    init(_ key: String) {
        self.key = key
        var bytes: [UInt8] = []
        bytes.append(json: key)
        bytes.append(UInt8(ascii: ":"))
        pattern = bytes
        isEscaped = key.utf8.contains { $0 >= 0x80 } && bytes.contains(UInt8(ascii: "\\"))
    }

    /// Returns the value of the attribute; `nil` if the record does not contain it.
    func value(in json: UnsafeBufferPointer<UInt8>) -> LogValue? {
        // Most records do not contain the bytes; in the others, the bytes may be part of a value.
        guard let first = offset(in: json) else { return isEscaped ? decoded(json) : nil }
        if first == 1 || isTopLevel(json, first) {
            let start = first + pattern.count
            if let value = Self.plain(json, start) { return value }
        }
        return decoded(json)
    }

    private func decoded(_ json: UnsafeBufferPointer<UInt8>) -> LogValue? {
        LogRow.attributes(json).first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    @inline(__always)
    private func offset(in json: UnsafeBufferPointer<UInt8>) -> Int? {
        guard json.count > pattern.count else { return nil }
        return pattern.withUnsafeBufferPointer { pattern in
            let last = json.count - pattern.count
            var index = 1
            while index <= last {
                // Its second byte is rarer than a quote.
                if json[index] == pattern[0], json[index + 1] == pattern[1] {
                    var length = 2
                    while length < pattern.count, json[index + length] == pattern[length] { length += 1 }
                    if length == pattern.count { return index }
                }
                index += 1
            }
            return nil
        }
    }

    /// Returns whether the index belongs to a key of the object itself, outside of strings and nested values.
    private func isTopLevel(_ json: UnsafeBufferPointer<UInt8>, _ end: Int) -> Bool {
        var depth = 0
        var isInString = false
        var index = 0
        while index < end {
            let byte = json[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
            index += 1
        }
        return index == end && !isInString && depth == 1 && json[end - 1] != UInt8(ascii: ":")
    }

    /// Returns the value at an index, if it is a number or a string without escapes.
    private static func plain(_ json: UnsafeBufferPointer<UInt8>, _ start: Int) -> LogValue? {
        guard start < json.count else { return nil }
        if json[start] == UInt8(ascii: "\"") {
            var end = start + 1
            while end < json.count, json[end] != UInt8(ascii: "\"") {
                if json[end] == UInt8(ascii: "\\") { return nil }
                end += 1
            }
            guard end < json.count else { return nil }
            return .string(String(decoding: UnsafeBufferPointer(rebasing: json[start + 1..<end]), as: UTF8.self))
        }
        var end = start
        while end < json.count, json[end] != UInt8(ascii: ","), json[end] != UInt8(ascii: "}") { end += 1 }
        let word = UnsafeBufferPointer(rebasing: json[start..<end])
        guard let first = word.first, first == UInt8(ascii: "-") || first &- 48 < 10 else { return nil }
        if let number = integer(word) { return .int(number) }
        return DecimalText.double(word).map(LogValue.double)
    }

    private static func integer(_ word: UnsafeBufferPointer<UInt8>) -> Int64? {
        var number: Int64 = 0
        let isNegative = word.first == UInt8(ascii: "-")
        let digits = isNegative ? word.dropFirst() : word[...]
        guard !digits.isEmpty, digits.count <= 18 else { return Int64(String(decoding: word, as: UTF8.self)) }
        for byte in digits {
            guard byte &- 48 < 10 else { return nil }
            number = number * 10 + Int64(byte - 48)
        }
        return isNegative ? -number : number
    }
}
#endif
