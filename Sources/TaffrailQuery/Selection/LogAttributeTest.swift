/// A test of an attribute. A record without the attribute fails every test.
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
