/// What a reader skipped in a track because it could not be read: how much, and the first problems.
public struct TrackWarnings: Sendable, Hashable {
    /// How many points were skipped.
    public private(set) var skippedPoints = 0
    /// The problems with the first of them, and other messages for users; with file and line if known.
    public private(set) var messages: [String] = []

    /// How many skipped points to describe.
    private static let limit = 5

    /// Nothing skipped.
    public init() {}

    /// Counts a skipped point.
    mutating func skip(_ reason: String) {
        skippedPoints += 1
        if skippedPoints <= Self.limit { messages.append("\(reason); the point is skipped") }
    }

    /// Adds a message.
    mutating func note(_ message: String) { messages.append(message) }

    /// A line for each message, and one with the count of skipped points, if any.
    public var lines: [String] {
        guard skippedPoints > 0 else { return messages }
        return messages + ["\(skippedPoints) \(skippedPoints == 1 ? "point was" : "points were") skipped"]
    }
}
