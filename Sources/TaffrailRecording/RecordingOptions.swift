public import Taffrail
public import TaffrailGeo

/// How a recorder records.
public struct RecordingOptions: Sendable, Hashable {
    /// The folder, made when it is missing.
    public var directory: String
    /// After how many events what was recorded is made to survive power loss, in the background. From 1. Default 10.
    public var flushEvents = 10
    /// After what time at the latest. Default 30 s.
    public var flushInterval = Duration.seconds(30)
    /// From what size on a new file is begun; `nil`, the default: never.
    public var splitSize: ByteSize?
    /// After what time a new file is begun; `nil`, the default: never.
    public var splitInterval: Duration?
    /// Whether a file is compressed (gzip) when the next is begun, on a thread of its own. Default `false`.
    public var compressesClosed = false
    /// How many recordings are kept, the one under way among them; `nil`, the default: all.
    public var keepCount: Int?
    /// For how long recordings are kept; `nil`, the default: for ever.
    public var keepAge: Duration?
    /// How large all recordings together may become; `nil`, the default: as large as they do.
    public var keepTotal: ByteSize?
    /// Whether log records are recorded beside the positions. Default `false`.
    public var includesLogs = false
    /// Failures that a test has the recorder's files report; `nil`, the default: none.
    public var faults: RecordingFaults?
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
