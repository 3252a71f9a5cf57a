internal import Taffrail

/// The points of a track that a reader skipped because they could not be read: their number, and the first problems.
public struct TrackWarnings: Sendable, Hashable {
    /// The number of skipped points.
    public private(set) var skippedPoints = 0
    /// The problems with the first skipped points, and other messages for users; with file and line if known.
    public private(set) var messages: [String] = []

    /// The maximum number of skipped points to describe.
    private static let limit = 5

    /// Nothing skipped.
    public init() {}

    /// Counts a skipped point.
    mutating func skip(_ reason: String) {
        skippedPoints += 1
        if skippedPoints <= Self.limit { messages.append("\(reason); the point is skipped") }
    }

    /// Adds the warnings of another reader.
    mutating func add(_ other: TrackWarnings) {
        skippedPoints += other.skippedPoints
        messages += other.messages
    }

    /// Adds a message.
    mutating func note(_ message: String) { messages.append(message) }

    /// One line for each message, and a line with the number of skipped points, if any.
    public var lines: [String] {
        guard skippedPoints > 0 else { return messages }
        return messages + [CountText.text(skippedPoints, "point was", "points were") + " skipped"]
    }
}
