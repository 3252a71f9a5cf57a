/// The error of a selection's text, and where it is.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The column of the error, in Unicode scalars from 1.
    public var column: Int
    /// What is wrong, without the column.
    public var reason: String

    init(_ column: Int, _ reason: String) {
        self.column = column
        self.reason = reason
    }

    /// Such as `column 7: "loud" is no level`.
    public var description: String { "column \(column): \(reason)" }
}
