/// The error in a selection's text, and its column.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The column of the error, in Unicode scalars from 1.
    public var column: Int
    /// The reason, without the column.
    public var reason: String

    init(_ column: Int, _ reason: String) {
        self.column = column
        self.reason = reason
    }

    /// The error, such as `column 7: "loud" is not a level`.
    public var description: String { "column \(column): \(reason)" }
}
