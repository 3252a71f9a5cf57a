internal import Taffrail
internal import TaffrailText

/// The members of a JSON object, with checks of their types. Null counts as missing.
struct JSONFields {
    let entries: [LogValueEntry]

    init(_ entries: [LogValueEntry]) { self.entries = entries }

    /// Parses a body that is one object.
    init(_ body: [UInt8]) throws(Problem) {
        guard case .map(let entries) = try Self.value(of: body) else { throw .bad("the body must be a JSON object") }
        self.entries = entries
    }

    /// Parses a body that is one value of JSON. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Throws: 413 if it may contain more values than the limit, before any is decoded.
    static func value(of body: [UInt8]) throws(Problem) -> LogValue {
        // Each value follows one of these characters, or a name.
        let most = body.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        guard most <= ReceivedRecords.limit else { throw ReceivedRecords.tooMany }
        do throws(ReadError) {
            var reader = JSONReader(body, isStrict: false)
            try reader.skipByteOrderMark()
            let value = try reader.value()
            // Only the end may follow.
            _ = try reader.next()
            return value
        } catch {
            throw .bad("the body is not JSON: \(error.reason) at byte \(error.offset)")
        }
    }

    private func value(_ name: String) -> LogValue? {
        // Null is read as an empty string.
        entries.first { $0.key == name && $0.value != .string("") }?.value
    }

    /// Returns a string.
    func text(_ name: String) throws(Problem) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else { throw .bad("\(name) must be a string") }
        return text
    }

    /// Returns a string; throws if it is missing.
    func requiredText(_ name: String) throws(Problem) -> String {
        guard let text = try text(name) else { throw .bad("\(name) is missing") }
        return text
    }

    /// Returns a finite number.
    func number(_ name: String) throws(Problem) -> Double? {
        switch value(name) {
        case nil: return nil
        case .int(let number): return Double(number)
        case .double(let number) where number.isFinite: return number
        default: throw .bad("\(name) must be a number")
        }
    }

    /// Returns a finite number; a negative one counts as unknown.
    func positive(_ name: String) throws(Problem) -> Double? {
        try number(name).flatMap { $0 < 0 ? nil : $0 }
    }

    // For optional values, such as the state of a battery: a value of another type counts as unknown, so that the rest
    // of the object is accepted.

    /// Returns a string, or a whole number as a string; `nil` for anything else.
    func anyText(_ name: String) -> String? {
        switch value(name) {
        case .string(let text): text
        case .int(let number): "\(number)"
        default: nil
        }
    }

    /// Returns a finite number; `nil` for anything else.
    func anyNumber(_ name: String) -> Double? {
        switch value(name) {
        case .int(let number): Double(number)
        case .double(let number) where number.isFinite: number
        default: nil
        }
    }

    /// Returns a finite number that is not negative; `nil` for anything else.
    func anyPositive(_ name: String) -> Double? { anyNumber(name).flatMap { $0 < 0 ? nil : $0 } }

    /// Returns a number in a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let number = try number(name) else { throw .bad("\(name) is missing") }
        guard range.contains(number) else {
            throw .bad("\(name) must be from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// Returns the members of an object.
    func object(_ name: String) throws(Problem) -> JSONFields? {
        guard let value = value(name) else { return nil }
        guard case .map(let entries) = value else { throw .bad("\(name) must be an object") }
        return JSONFields(entries)
    }

    /// Returns the elements of an array.
    func array(_ name: String) throws(Problem) -> [LogValue]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else { throw .bad("\(name) must be an array") }
        return elements
    }

    /// Returns the time in a string in RFC 3339 format.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let time = RFC3339.timestamp(text) else {
            throw .bad("\(name) must be a time such as 2026-01-05T14:30:00Z")
        }
        return time
    }
}
