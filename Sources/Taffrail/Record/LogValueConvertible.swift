/// A type whose values can be attributes: `["port": port]`.
///
/// The integer types, `Double`, `Float`, `Bool`, `String`, `Substring`, ``Timestamp``, `Duration`, and optionals,
/// arrays and dictionaries with `String` keys of such types conform; product `TaffrailFoundation` adds `Date`, `UUID`
/// and `URL`. For another type an empty extension suffices:
///
///     extension Pier: LogValueConvertible {}
///
/// The value is then that of its raw value if it is `RawRepresentable`, else its text in a message, such as the
/// description of a `CustomStringConvertible` or an `Error`.
public protocol LogValueConvertible {
    /// The value to log. Evaluated on the thread of the log call, only if the level is enabled; it may itself log.
    var logValue: LogValue { get }

    /// The value of an attribute; `nil` omits the attribute. Default: ``logValue``.
    var attributeValue: LogValue? { get }
}

extension LogValueConvertible {
    /// ``logValue``.
    @inlinable
    public var attributeValue: LogValue? { logValue }

    /// The result of `String(describing:)`.
    public var logValue: LogValue { .string(String(describing: self)) }
}

// A constraint on `Error` would be a circular reference in modules whose default isolation is a global actor.
extension LogValueConvertible where Self: RawRepresentable, RawValue: LogValueConvertible {
    /// The value of the raw value.
    public var logValue: LogValue { rawValue.logValue }
}

extension LogValue: LogValueConvertible {
    /// The value itself.
    @inlinable
    public var logValue: LogValue { self }
}

// MARK: Numbers

extension LogValueConvertible where Self: BinaryInteger {
    /// An ``LogValue/int(_:)``, or a ``LogValue/string(_:)`` for a value outside the range of `Int64`, so that no digit
    /// is lost.
    @inlinable
    public var logValue: LogValue {
        if let exact = Int64(exactly: self) { .int(exact) } else { .string("\(self)") }
    }
}

extension Int: LogValueConvertible {}
extension Int8: LogValueConvertible {}
extension Int16: LogValueConvertible {}
extension Int32: LogValueConvertible {}
extension Int64: LogValueConvertible {}
extension Int128: LogValueConvertible {}
extension UInt: LogValueConvertible {}
extension UInt8: LogValueConvertible {}
extension UInt16: LogValueConvertible {}
extension UInt32: LogValueConvertible {}
extension UInt64: LogValueConvertible {}
extension UInt128: LogValueConvertible {}

extension Double: LogValueConvertible {
    /// A ``LogValue/double(_:)``.
    @inlinable
    public var logValue: LogValue { .double(self) }
}

extension Float: LogValueConvertible {
    /// A ``LogValue/double(_:)`` with the digits that the `Float` prints: 0.1, not 0.10000000149011612.
    public var logValue: LogValue {
        let exact = Double(self)
        var scale = 1.0
        // A quotient of two exact numbers is the nearest `Double` to the decimal.
        while scale <= 1e6, abs(exact) < 1e9 {
            let short = (exact * scale).rounded() / scale
            if Float(short) == self { return .double(short) }
            scale *= 10
        }
        return .double(Double(description) ?? exact)
    }
}

extension Bool: LogValueConvertible {
    /// A ``LogValue/bool(_:)``.
    @inlinable
    public var logValue: LogValue { .bool(self) }
}

// MARK: Strings

extension String: LogValueConvertible {
    /// A ``LogValue/string(_:)``.
    @inlinable
    public var logValue: LogValue { .string(self) }
}

extension Substring: LogValueConvertible {
    /// A ``LogValue/string(_:)``.
    public var logValue: LogValue { .string(String(self)) }
}

// MARK: Times

extension Timestamp: LogValueConvertible {
    /// A ``LogValue/date(_:)``.
    @inlinable
    public var logValue: LogValue { .date(self) }
}

extension Duration: LogValueConvertible {
    /// Seconds, as a ``LogValue/double(_:)``.
    public var logValue: LogValue {
        let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // With whole nanoseconds the quotient is the nearest `Double` to the decimal.
        guard rest == 0, let nanoseconds = Int64(exactly: nanoseconds) else {
            return .double(Double(attoseconds) / 1e18)
        }
        return .double(Double(nanoseconds) / 1e9)
    }
}

// MARK: Collections

extension Optional: LogValueConvertible where Wrapped: LogValueConvertible {
    /// The wrapped value, or the string `nil`: inside a list or map.
    public var logValue: LogValue { self?.logValue ?? .string("nil") }

    /// The wrapped value; a `nil` attribute is omitted.
    public var attributeValue: LogValue? { self?.attributeValue }
}

extension Array: LogValueConvertible where Element: LogValueConvertible {
    /// A ``LogValue/array(_:)``.
    public var logValue: LogValue { .array(map(\.logValue)) }
}

extension Dictionary: LogValueConvertible where Key == String, Value: LogValueConvertible {
    /// A ``LogValue/map(_:)``, sorted by name.
    public var logValue: LogValue {
        .map(sorted { $0.key < $1.key }.map { LogValueEntry($0.key, $0.value.logValue) })
    }
}
