/// The value of an attribute.
public enum LogValue: Sendable, Hashable {
    /// Text.
    case string(String)
    /// A whole number.
    case int(Int64)
    /// A floating-point number; not-a-number and infinities are kept.
    case double(Double)
    /// A truth value.
    case bool(Bool)
    /// Raw bytes; text formats print them in base64.
    case bytes([UInt8])
    /// A moment; text formats print it as RFC 3339 in UTC.
    case date(Timestamp)
    /// A list.
    case array([LogValue])
    /// Named values, in order. A name that comes twice is kept twice.
    case map([LogValueEntry])
}

/// One named value of a ``LogValue/map(_:)``.
public struct LogValueEntry: Sendable, Hashable {
    /// The name.
    public var key: String
    /// The value.
    public var value: LogValue

    /// Makes an entry.
    public init(_ key: String, _ value: LogValue) {
        self.key = key
        self.value = value
    }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a ``string(_:)``.
    @inlinable
    public init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    /// Makes an ``int(_:)``.
    @inlinable
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
    /// Makes a ``double(_:)``.
    @inlinable
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    /// Makes a ``bool(_:)``.
    @inlinable
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension LogValue: ExpressibleByArrayLiteral {
    /// Makes an ``array(_:)``.
    @inlinable
    public init(arrayLiteral elements: LogValue...) { self = .array(elements) }
}

extension LogValue: ExpressibleByDictionaryLiteral {
    /// Makes a ``map(_:)`` in the literal's order.
    @inlinable
    public init(dictionaryLiteral elements: (String, LogValue)...) {
        self = .map(elements.map { LogValueEntry($0.0, $0.1) })
    }
}

extension LogValue {
    /// Makes an ``int(_:)``; a value beyond `Int64` becomes text, so that no digit is lost.
    @inlinable
    public init(_ value: some BinaryInteger) {
        if let exact = Int64(exactly: value) { self = .int(exact) } else { self = .string("\(value)") }
    }

    /// Makes a ``string(_:)``.
    @inlinable
    public init(_ value: String) { self = .string(value) }

    /// Makes a ``double(_:)``.
    @inlinable
    public init(_ value: Double) { self = .double(value) }

    /// Makes a ``bool(_:)``.
    @inlinable
    public init(_ value: Bool) { self = .bool(value) }

    /// Makes a ``date(_:)``.
    @inlinable
    public init(_ value: Timestamp) { self = .date(value) }
}
