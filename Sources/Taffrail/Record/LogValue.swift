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

    /// Returns whether both are of one kind and have equal values. NaN is not equal to itself.
    @inline(never)
    public static func == (lhs: LogValue, rhs: LogValue) -> Bool {
        // The derived operator is inlined into itself, through the comparison of arrays: 2,700 instructions.
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs == rhs
        case (.int(let lhs), .int(let rhs)): lhs == rhs
        case (.double(let lhs), .double(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.bytes(let lhs), .bytes(let rhs)): lhs == rhs
        case (.date(let lhs), .date(let rhs)): lhs == rhs
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.map(let lhs), .map(let rhs)): lhs == rhs
        case (.string, _), (.int, _), (.double, _), (.bool, _), (.bytes, _), (.date, _), (.array, _), (.map, _): false
        }
    }

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

    /// Creates the ``LogValueConvertible/logValue`` of a value.
    @inlinable
    public init(_ value: some LogValueConvertible) { self = value.logValue }

    /// Creates an ``int(_:)``, or a ``string(_:)`` for a value outside the range of `Int64`, so that no digit is lost.
    @inlinable
    @_disfavoredOverload
    public init(_ value: some BinaryInteger) {
        if let exact = Int64(exactly: value) { self = .int(exact) } else { self = .string("\(value)") }
    }
}
