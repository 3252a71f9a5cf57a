/// A line of a comparison of policies.
struct PolicyEntry: Sendable {
    var name: String
    var result: PolicyResult
    /// Whether no other entry of a sweep is better in both energy and error.
    var isBest = false
}
