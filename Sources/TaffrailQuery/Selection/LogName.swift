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
