public import Taffrail
public import TaffrailGeo

/// The options of a recorder.
public struct RecordingOptions: Sendable, Hashable {
    /// The directory, created if missing.
    public var directory: String
    /// After how many events to make the recording survive power loss, in the background. From 1. Default 10.
    public var flushEvents = 10
    /// The maximum time after which to do so. Default 30 s.
    public var flushInterval = Duration.seconds(30)
    /// The size at which to start a new file; `nil`, the default: none.
    public var splitSize: ByteSize?
    /// The duration after which to start a new file; `nil`, the default: none.
    public var splitInterval: Duration?
    /// Whether to compress a file (gzip) when the next one is started, also by the next run, on a separate thread. Default
    /// `false`.
    public var compressesClosed = false
    /// How many recordings to keep, including the current one; `nil`, the default: all.
    public var keepCount: Int?
    /// How long to keep recordings; `nil`, the default: for ever.
    public var keepAge: Duration?
    /// The maximum size of all recordings together; `nil`, the default: unlimited.
    public var keepTotal: ByteSize?
    /// Whether to record log records in addition to positions. Default `false`.
    public var includesLogs = false
    /// The minimum distance of a position from the last recorded one of its receiver, in metres; nearer ones are
    /// omitted, except for the first one after an error. From 0. Default 0: every position is recorded.
    public var minimumMove = 0.0
    /// Simulated file errors, for tests; `nil`, the default: none.
    public var faults: RecordingFaults?
    /// The zones in which positions are hidden, and the precision of all others.
    public var privacy = PrivacyOptions()

    /// Creates options.
    public init(directory: String = RecordingOptions.defaultDirectory) { self.directory = directory }

    /// `$STATE_DIRECTORY/recordings` if set by systemd, else `$XDG_STATE_HOME/PROGRAM/recordings` (by default
    /// `~/.local/state/PROGRAM/recordings`).
    public static var defaultDirectory: String { Environment.programState + "/recordings" }
}
