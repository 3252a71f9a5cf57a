/// What a reader left out of a track because it could not be read: how much, and what was wrong first.
public struct TrackWarnings: Sendable, Hashable {
    /// How many points were skipped.
    public private(set) var skippedPoints = 0
    /// What was wrong with the first of them, and what else a person should know; with file and line where there is one.
    public private(set) var messages: [String] = []

    /// How many skipped points are described.
    private static let limit = 5

    /// Nothing left out.
    public init() {}

    /// Counts a point that was skipped.
    mutating func skip(_ reason: String) {
        skippedPoints += 1
        if skippedPoints <= Self.limit { messages.append("\(reason); the point is skipped") }
    }

    /// Adds a message.
    mutating func note(_ message: String) { messages.append(message) }

    /// A line for each message, and one with the count where points were skipped.
    public var lines: [String] {
        guard skippedPoints > 0 else { return messages }
        return messages + ["\(skippedPoints) \(skippedPoints == 1 ? "point was" : "points were") skipped"]
    }
}
