package import Taffrail

extension [UInt8] {
    /// Appends a value as JSON; bytes become base64, a time becomes a string.
    package mutating func append(json value: LogValue) {
        switch value {
        case .string(let text): append(json: text)
        case .int(let number): append(decimal: Int(number))
        case .double(let number):
            if number.isFinite { append(real: number) } else { append(json: "\(number)") }
        case .bool(let isTrue): append(isTrue ? "true" : "false")
        case .bytes, .date: append(json: value.description)
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: element)
            }
            append(UInt8(ascii: "]"))
        case .map(let entries):
            append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: entry.key)
                append(UInt8(ascii: ":"))
                append(json: entry.value)
            }
            append(UInt8(ascii: "}"))
        }
    }
}

extension LogValue {
    /// The value as JSON.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(json: self)
        return bytes
    }

    /// Reads a text that is one value; `nil` for any other.
    package init?(json: some Collection<UInt8>) {
        var reader = JSONReader(json)
        guard let value = try? reader.value(), (try? reader.next()) == .end else { return nil }
        self = value
    }
}

extension JSONReader {
    /// Returns the next value, of any type.
    ///
    /// - Parameter null: The string for null.
    package mutating func value(null: String = "") throws(ReadError) -> LogValue { try value(next(), null: null) }

    /// Returns the value that begins with a token.
    package mutating func value(_ token: JSONToken, null: String = "") throws(ReadError) -> LogValue {
        switch token {
        case .string: return .string(text)
        case .number:
            // An integer stays an integer; `1.0` is not one.
            let isWhole = !textBytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
            if isWhole, let number = Int64(text) { return .int(number) }
            return .double(number)
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .beginArray:
            var elements: [LogValue] = []
            while true {
                let token = try next()
                if token == .endArray { return .array(elements) }
                elements.append(try value(token, null: null))
            }
        case .beginObject:
            var entries: [LogValueEntry] = []
            while try nextKey() {
                let key = text
                entries.append(LogValueEntry(key, try value(null: null)))
            }
            return .map(entries)
        default: return .string(null)
        }
    }
}
