/// The value of an attribute.
public enum LogValue: Sendable, Hashable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    case string(String)
    /// An integer.
    case int(Int64)
    /// A floating-point number, including infinities and NaN.
    case double(Double)
    /// A Boolean.
    case bool(Bool)
    /// Raw bytes; text formats print them in base64.
    case bytes([UInt8])
    /// A time; text formats print it as RFC 3339 in UTC.
    case date(Timestamp)
    /// A list.
    case array([LogValue])
    /// Named values, in order. Duplicate names are kept.
    case map([LogValueEntry])

    /// Creates a ``string(_:)``.
    @inlinable
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an ``int(_:)``.
    @inlinable
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// Creates a ``double(_:)``.
    @inlinable
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates a ``bool(_:)``.
    @inlinable
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an ``array(_:)``.
    @inlinable
    public init(arrayLiteral elements: LogValue...) { self = .array(elements) }

    /// Creates a ``map(_:)`` in the literal's order.
    @inlinable
    public init(dictionaryLiteral elements: (String, LogValue)...) {
        self = .map(elements.map { LogValueEntry($0.0, $0.1) })
    }

    /// Creates an ``int(_:)``, or a ``string(_:)`` for a value outside the range of `Int64`, so that no digit is lost.
    @inlinable
    public init(_ value: some BinaryInteger) {
        if let exact = Int64(exactly: value) { self = .int(exact) } else { self = .string("\(value)") }
    }

    /// Creates a ``string(_:)``.
    @inlinable
    public init(_ value: String) { self = .string(value) }

    /// Creates a ``double(_:)``.
    @inlinable
    public init(_ value: Double) { self = .double(value) }

    /// Creates a ``bool(_:)``.
    @inlinable
    public init(_ value: Bool) { self = .bool(value) }

    /// Creates a ``date(_:)``.
    @inlinable
    public init(_ value: Timestamp) { self = .date(value) }
}
