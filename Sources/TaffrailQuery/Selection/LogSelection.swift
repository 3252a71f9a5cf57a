public import Taffrail
public import TaffrailGeo

/// The selection of records: all conditions must hold. Without conditions, every record is wanted.
///
/// Its text form is the same in URLs, commands and the viewer: `level>=warning logger:net "timeout" status>=500`. The
/// parser is ``init(parsing:)``, and ``description`` prints what it parses to the same value.
public struct LogSelection: Sendable, Hashable {
    /// The conditions, of which all must hold.
    public var conditions: [LogCondition]

    /// Creates a selection.
    public init(_ conditions: [LogCondition] = []) { self.conditions = conditions }
}

/// One condition of a selection.
public struct LogCondition: Sendable, Hashable {
    /// The test.
    public var test: LogTest
    /// Whether the condition holds if the test fails.
    public var isNegated: Bool

    /// Creates a condition.
    public init(_ test: LogTest, isNegated: Bool = false) {
        self.test = test
        self.isNegated = isNegated
    }
}

/// The test of a condition.
public enum LogTest: Sendable, Hashable {
    /// `level>=warning`: the severity.
    case level(LogComparison, Level)
    /// `level:error,critical`: one of several severities.
    case levels([Level])
    /// `logger:net`: one of these loggers, or one below it (`net.http`).
    case logger([String])
    /// `logger=net`: exactly one of these loggers.
    case exactLogger([String])
    /// `device:ferry,tender*`: one of these devices.
    case device([LogName])
    /// `event:geo.location,geo.*`: one of these event names.
    case event([LogName])
    /// `since:TIME`: at this time or later.
    case since(Timestamp)
    /// `until:TIME`: before this time.
    case until(Timestamp)
    /// `near:55.68,12.57,500m`: logged within this many metres of a place.
    case near(Coordinate, radius: Double)
    /// `box:55.5,12.4,55.8,12.7`: logged within a box (south, west, north, east).
    case box(CoordinateBox)
    /// `"disk full"`: these consecutive words in the message, the event name or an indexed attribute; case is
    /// ignored. With a `*` after it, the last word may continue.
    case text(String, isPrefix: Bool)
    /// `message~"k fu"`: the message contains this; the case of ASCII letters is ignored.
    case message(String)
    /// `trace:4bf92f3577b34da6a3ce929d0e0e4736`: the trace.
    case trace(TraceContext.TraceID)
    /// `span:00f067aa0ba902b7`: the span.
    case span(TraceContext.SpanID)
    /// `run:5f1c…`: the run of the program that logged it, or the batch in which it arrived.
    case run(String)
    /// `status>=500`: an attribute.
    case attribute(String, LogAttributeTest)
}

/// A comparison of ordered values.
public enum LogComparison: String, Sendable, Hashable, CaseIterable {
    /// Less.
    case less = "<"
    /// Less or equal.
    case atMost = "<="
    /// Equal.
    case equal = "="
    /// Not equal.
    case different = "!="
    /// Greater or equal.
    case atLeast = ">="
    /// Greater.
    case greater = ">"

    /// Returns whether it holds between two values.
    func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
        switch self {
        case .less: left < right
        case .atMost: left <= right
        case .equal: left == right
        case .different: left != right
        case .atLeast: left >= right
        case .greater: left > right
        }
    }
}

/// A name in a selection.
public struct LogName: Sendable, Hashable {
    /// The name, or its beginning.
    public var text: String
    /// Whether names that begin with it match too (`geo.*`).
    public var isPrefix: Bool

    /// Creates a name.
    public init(_ text: String, isPrefix: Bool = false) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Returns whether a name matches, compared byte by byte.
    public func matches(_ name: String) -> Bool {
        isPrefix ? name.utf8.starts(with: text.utf8) : name.utf8.elementsEqual(text.utf8)
    }
}

/// A test of an attribute. A record without the attribute fails each of them.
public enum LogAttributeTest: Sendable, Hashable {
    /// `key:*`: the record has the attribute.
    case exists
    /// `key=500,501`: one of these values.
    case equals([LogLiteral])
    /// `key>=500`, `key!=200`: a comparison of numbers, or of strings byte by byte.
    case compares(LogComparison, LogLiteral)
    /// `key~text`: the value's text contains this string; the case of ASCII letters is ignored.
    case contains(String)
}

/// A value in a selection. In quotes it is a string; otherwise it may also be a number or a Boolean.
public struct LogLiteral: Sendable, Hashable {
    /// The text, without quotes.
    public var text: String
    /// Whether it was in quotes.
    public var isQuoted: Bool

    /// Creates a value.
    public init(_ text: String, isQuoted: Bool = false) {
        self.text = text
        self.isQuoted = isQuoted
    }
}
