#if Store
public import Taffrail
internal import TaffrailGeo
public import TaffrailStore

/// The options of the sink `location-store`.
public struct LocationStoreOptions: PluginOptions {
    /// The path of the database.
    public var path: String
    /// The device of records without one. Default: the device of the configuration; `nil`: the receiver.
    public var device: String?
    /// The retention; by default everything is kept.
    public var keep = TrackRetention()

    /// Creates options.
    public init(
        path: String = LocationStoreOptions.defaultPath, device: String? = nil, keep: TrackRetention = TrackRetention()
    ) {
        self.path = path
        self.device = device
        self.keep = keep
    }

    /// `track.sqlite` in `$STATE_DIRECTORY`, or else in `$XDG_STATE_HOME/PROGRAM`, by default `~/.local/state/PROGRAM`.
    public static var defaultPath: String { TrackStore.defaultPath }

    private enum CodingKeys: String, CodingKey, CaseIterable { case path, device, keep }

    private enum KeepKeys: String, CodingKey, CaseIterable {
        case age, rows, size
        case thinAfter = "thin_after"
        case thinTolerance = "thin_tolerance"
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        path = try options.path(.path, or: Self.defaultPath)
        device = try options.value(.device) ?? DeviceOptions.name(in: decoder)
        guard !path.hasSuffix("/") else { throw options.problem(.path, "must be the path of a file") }
        guard device?.isEmpty != true else { throw options.problem(.device, "must not be empty") }
        guard options.contains(.keep) else { return }
        let limits = try options.nestedContainer(keyedBy: KeepKeys.self, forKey: .keep)
        keep.age = try limits.value(.age, in: .minutes(1) ... .days(36_600))
        keep.rows = try limits.value(.rows, in: 1...1_000_000_000_000)
        keep.size = try limits.value(.size, in: .mebibytes(1) ... .gibibytes(1 << 20))
        keep.thinAge = try limits.value(.thinAfter, in: .days(1) ... .days(36_600))
        keep.thinTolerance = try limits.value(.thinTolerance, or: keep.thinTolerance, in: 0.1...10_000)
    }

    /// Returns the path of the database.
    public func destinations(of instance: PluginInstance) -> [String] { [DestinationPath.resolved(path)] }
}

extension LocationStoreOptions: RetentionOptions {}
#endif
