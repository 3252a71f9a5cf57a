public import Taffrail
internal import TaffrailGeo
public import TaffrailRecording

/// The options of the sink `geo-recorder`.
public struct GeoRecorderOptions: PluginOptions {
    /// The options of the recorder.
    public var recording: RecordingOptions
    #if HTTP
    /// The receiver of finished recordings. Default `nil`: none.
    public var upload: RecordingUploadOptions?
    #endif

    /// Creates options.
    public init(_ recording: RecordingOptions) { self.recording = recording }

    /// Returns the directory of the recordings.
    public func destinations(of instance: PluginInstance) -> [String] {
        [DestinationPath.resolved(recording.directory)]
    }

    /// The kinds of records to include in addition to positions.
    private enum Include: String, Decodable, CaseIterable { case logs }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case directory, flushEvents = "flush_events", flushInterval = "flush_interval", split, keep, include
        case precision, zones, minimumMove = "min_move", upload
    }

    private enum SplitKeys: String, CodingKey, CaseIterable { case size, every, compress }

    /// The compression of closed files.
    private enum Compression: String, Decodable, CaseIterable { case none, gzip }

    private enum KeepKeys: String, CodingKey, CaseIterable { case count, age, total }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        let standard = RecordingOptions.defaultDirectory
        var recording = RecordingOptions(directory: try options.path(.directory, or: standard))
        recording.flushEvents = try options.value(.flushEvents, or: recording.flushEvents, in: 1...1_000_000)
        recording.flushInterval = try options.value(
            .flushInterval, or: recording.flushInterval, in: .milliseconds(100) ... .hours(1))
        if options.contains(.split) {
            let split = try options.nestedContainer(keyedBy: SplitKeys.self, forKey: .split)
            recording.splitSize = try split.value(.size, in: .kibibytes(64) ... .gibibytes(1_024))
            recording.splitInterval = try split.value(.every, in: .seconds(1) ... .days(366))
            let compression: Compression = try split.value(.compress, or: .none)
            recording.compressesClosed = compression == .gzip
        }
        if options.contains(.keep) {
            let keep = try options.nestedContainer(keyedBy: KeepKeys.self, forKey: .keep)
            recording.keepCount = try keep.value(.count, in: 1...1_000_000)
            recording.keepAge = try keep.value(.age, in: .minutes(1) ... .days(36_600))
            recording.keepTotal = try keep.value(.total, in: .mebibytes(1) ... .gibibytes(1 << 20))
        }
        let include: [Include] = try options.value(.include, or: [])
        recording.includesLogs = include.contains(.logs)
        recording.privacy.precision = try options.value(.precision, in: 0...9)
        recording.minimumMove = try options.value(.minimumMove, or: 0, in: 0...100_000)
        recording.privacy.zones = try options.value(.zones, or: [])
        self.init(recording)
        guard options.contains(.upload) else { return }
        #if HTTP
        upload = try options.value(.upload)
        #else
        throw options.problem(.upload, "requires the trait HTTP")
        #endif
    }
}
