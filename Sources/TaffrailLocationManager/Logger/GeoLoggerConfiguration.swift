public import FoundationEssentials
public import TaffrailRecording

/// What a ``GeoLogger`` does, and where.
public struct GeoLoggerConfiguration: Sendable, Hashable {
    /// What it does. Default ``GeoLoggerMode/passthrough``.
    public var mode: GeoLoggerMode = .passthrough
    /// The folder of the recordings. Default `nil`: ``RecordingManager/defaultDirectory``, which is
    /// `$XDG_STATE_HOME/PROGRAM/recordings` on Linux and Documents on Apple's systems.
    public var directory: URL? = nil
    /// How much faster than it was recorded a recording is replayed, 0.01 to 10,000. Default 1.
    public var replaySpeedMultiplier: Double = 1.0
    /// The recording to replay: its name in ``directory``, or a path that begins with `/`. Default `nil`: none.
    public var replayFileName: String? = nil
    /// Whether the replay begins anew at its end. Default `false`.
    public var loopReplay: Bool = false
    /// Where positions come from, except in a replay. Default `nil`: ``LocationSource/standard``.
    public var source: LocationSource? = nil
    /// How it records; the folder is ``directory``.
    public var recording = RecordingOptions()

    /// A configuration that only passes positions through.
    public init() {}

    /// How it records, and where.
    var recordingOptions: RecordingOptions {
        var options = recording
        options.directory = (directory ?? RecordingManager.defaultDirectory).path
        return options
    }
}

/// What a ``GeoLogger`` does.
public enum GeoLoggerMode: String, Sendable, Hashable, CaseIterable {
    /// Passes positions and errors through, and records them.
    case record
    /// Plays a recording instead of a receiver.
    case replay
    /// Passes positions and errors through.
    case passthrough
}
