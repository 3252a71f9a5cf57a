/// The properties of a log's lines other than the format's name, stored in a ring for recovery without the program.
package struct LineLayout: Equatable {
    package var time = LineOptions.Time.local
    package var precision: LineOptions.Precision?
    /// The pattern of the lines, if any; `nil` also if it does not fit into a ring.
    package var pattern: String?
}
