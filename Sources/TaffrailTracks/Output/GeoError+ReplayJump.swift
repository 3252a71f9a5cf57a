public import TaffrailGeo
internal import TaffrailText

extension GeoError {
    /// The error domain of jumps in a replay, after which events are not consecutive.
    public static let replayDomain = "taffrail.replay"

    /// The reason why a replay jumped: the codes of ``replayDomain``.
    public enum ReplayJump: Int, Sendable, CaseIterable {
        /// The track is repeated.
        case loop = 1
        /// The user requested another point.
        case seek = 2
    }

    /// Returns a jump in a replay, between two times of the track in seconds.
    static func jump(_ jump: ReplayJump, from: Double, to: Double) -> GeoError {
        var text: [UInt8] = []
        text.append(jump == .loop ? "the replay was repeated, from " : "the replay jumped, from ")
        text.append(real: from, decimals: 3)
        text.append(" s to ")
        text.append(real: to, decimals: 3)
        text.append(" s")
        return GeoError(
            domain: replayDomain, code: jump.rawValue, description: String(decoding: text, as: UTF8.self))
    }

    /// The kind of jump in a replay; `nil` for a missing position.
    public var replayJump: ReplayJump? { domain == Self.replayDomain ? ReplayJump(rawValue: code) : nil }
}
