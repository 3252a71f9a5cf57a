public import FoundationEssentials
public import TaffrailRecording

/// The configuration of a ``GeoLogger``.
public struct GeoLoggerConfiguration: Sendable, Hashable {
    /// The mode. Default ``GeoLoggerMode/passthrough``.
    public var mode: GeoLoggerMode = .passthrough
    /// The directory of the recordings. Default `nil`: `RecordingManager.defaultDirectory`.
    public var directory: URL? = nil
    /// The speed of a replay relative to the recording, 0.01 to 10,000. Default 1.
    public var replaySpeedMultiplier: Double = 1.0
    /// The recording to replay: its name in ``directory``, or an absolute path. Default `nil`: none.
    public var replayFileName: String? = nil
    /// Whether to repeat the replay. Default `false`.
    public var loopReplay: Bool = false
    /// The source of positions, except for a replay. Default `nil`: ``LocationSource/standard``.
    public var source: LocationSource? = nil
    /// The recording options; the directory is ``directory``.
    public var recording = RecordingOptions()

    /// A configuration that only passes positions through.
    public init() {}

    /// The recording options, including the directory.
    var recordingOptions: RecordingOptions {
        var options = recording
        options.directory = (directory ?? RecordingManager.defaultDirectory).path
        return options
    }
}
