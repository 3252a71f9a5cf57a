public import Taffrail

/// How a recorder records.
public struct RecordingOptions: Sendable, Hashable {
    /// The folder, made when it is missing.
    public var directory: String
    /// After how many events what was recorded is made to survive power loss, in the background. From 1. Default 10.
    public var flushEvents = 10
    /// After what time at the latest. Default 30 s.
    public var flushInterval = TimeSpan.seconds(30)
    /// From what size on a new file is begun; `nil`, the default: never.
    public var splitSize: ByteSize?
    /// After what time a new file is begun; `nil`, the default: never.
    public var splitInterval: TimeSpan?
    /// Whether a file is compressed (gzip) when the next is begun, on a thread of its own. Default `false`.
    public var compressesClosed = false
    /// How many recordings are kept, the one under way among them; `nil`, the default: all.
    public var keepCount: Int?
    /// For how long recordings are kept; `nil`, the default: for ever.
    public var keepAge: TimeSpan?
    /// How large all recordings together may become; `nil`, the default: as large as they do.
    public var keepTotal: ByteSize?
    /// Whether log records are recorded beside the positions. Default `false`.
    public var includesLogs = false
    /// What is left out or blurred.
    public var privacy = PrivacyOptions()

    /// Makes options.
    public init(directory: String = RecordingOptions.defaultDirectory) { self.directory = directory }

    /// `$STATE_DIRECTORY/recordings` where systemd sets that, else `$XDG_STATE_HOME/PROGRAM/recordings` (by default
    /// `~/.local/state/PROGRAM/recordings`); Documents on Apple's systems.
    public static var defaultDirectory: String {
        if let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first, state.hasPrefix("/") {
            return state + "/recordings"
        }
        let base = Environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? Environment.home + "/.local/state") + "/" + Environment.program + "/recordings"
    }
}

/// What is left out or blurred before a byte is written.
public struct PrivacyOptions: Sendable, Hashable {
    /// Places around which positions are hidden.
    public var zones: [PrivacyZone] = []
    /// To how many decimals of a degree positions are cut: 4 are 11 m, 3 are 111 m. `nil`, the default: none are cut.
    public var precision: Int?

    /// Nothing is left out.
    public init() {}
}

/// A place around which positions are hidden, such as a home.
public struct PrivacyZone: Sendable, Hashable {
    /// What happens to a position inside.
    public enum Action: String, Sendable, Hashable, CaseIterable, Decodable {
        /// It is left out.
        case drop
        /// It becomes the zone's shifted centre, with the radius as its accuracy and without speed and course.
        case coarsen
    }

    /// The centre.
    public var center: Coordinate
    /// The radius in metres. From 1.
    public var radius: Double
    /// What happens to a position inside.
    public var action: Action

    /// Makes a zone.
    public init(center: Coordinate, radius: Double, action: Action = .drop) {
        self.center = center
        self.radius = radius
        self.action = action
    }
}
