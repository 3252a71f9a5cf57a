#if HTTP
/// A string that is never printed.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The string itself.
    public let text: String

    /// Hides a string.
    public init(_ text: String) { self.text = text }

    /// A substitute for the string.
    public var description: String { "(secret)" }
    /// A substitute for the string.
    public var debugDescription: String { description }
    /// A substitute for the string.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
