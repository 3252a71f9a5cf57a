/// What beside the format's name tells how a log's lines look: a ring has it for whoever recovers it without the program.
package struct LineLayout: Hashable {
    package var time = LineOptions.Time.local
    package var precision: LineOptions.Precision?
    /// For lines by a pattern; `nil` also where it does not fit into a ring.
    package var pattern: String?
}
