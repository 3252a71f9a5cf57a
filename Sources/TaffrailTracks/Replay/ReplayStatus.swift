public import TaffrailGeo
internal import TaffrailText

/// Where a replay stands.
public struct ReplayStatus: Sendable, Hashable {
    /// What it does.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It has not begun yet.
        case waiting
        /// The track's time runs.
        case playing
        /// The track's time stands.
        case paused
        /// It is over.
        case ended
    }

    /// What it does.
    public var state = State.waiting
    /// The track's time, in seconds since its start.
    public var time = 0.0
    /// The track's length in seconds, where that is known.
    public var duration: Double?
    /// The number of the event that was replayed last, from 1; 0 before the first.
    public var event = 0
    /// How many events the track has, where that is known.
    public var eventCount: Int?
    /// How many events have been replayed, in all rounds.
    public var replayed = 0
    /// How often it has begun anew.
    public var loops = 0
    /// Seconds of the track in a second.
    public var rate = 1.0
    /// What the last command could not do; `nil` when it could.
    public var problem: String?

    /// Nothing has happened yet.
    public init() {}
}

extension GeoError {
    /// The domain of the jumps in a replay, which say that what follows does not come after what went before.
    public static let replayDomain = "taffrail.replay"

    /// Why a replay jumped: the codes of ``replayDomain``.
    public enum ReplayJump: Int, Sendable, CaseIterable {
        /// The track begins anew.
        case loop = 1
        /// Somebody sought another place.
        case seek = 2
    }

    /// A jump in a replay, between two times of the track in seconds.
    static func jump(_ jump: ReplayJump, from: Double, to: Double) -> GeoError {
        var text: [UInt8] = []
        text.append(jump == .loop ? "the replay begins anew, from " : "the replay was moved, from ")
        text.append(real: from, decimals: 3)
        text.append(" s to ")
        text.append(real: to, decimals: 3)
        text.append(" s")
        return GeoError(
            domain: replayDomain, code: jump.rawValue, description: String(decoding: text, as: UTF8.self))
    }

    /// Whether it is a jump in a replay, and no lack of a position.
    public var replayJump: ReplayJump? { domain == Self.replayDomain ? ReplayJump(rawValue: code) : nil }
}
