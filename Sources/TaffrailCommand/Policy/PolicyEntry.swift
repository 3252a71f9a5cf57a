/// A line of a comparison of policies.
struct PolicyEntry: Sendable {
    var name: String
    var result: PolicyResult
    /// Whether no other of a sweep is better in energy and error both.
    var isBest = false
}
