#if Store
public import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
public import TaffrailStore

/// The options of the sink `log-store`.
public struct LogStoreOptions: PluginOptions {
    /// The path of the database.
    public var path: String
    /// The device of this program's records without one. Default: the device of the configuration, or else an empty
    /// name.
    public var device: String
    /// The names of the attributes whose words are indexed like those of messages.
    public var index: [String]
    /// The maximum number of new names that are accepted per day: of loggers, devices and events, each. From 1 to
    /// 1,000,000. Default 10,000.
    public var names = 10_000
    /// The retention; by default everything is kept.
    public var keep = LogRetention()

    /// Creates options.
    public init(
        path: String = LogStoreOptions.defaultPath, device: String = "", index: [String] = [],
        keep: LogRetention = LogRetention()
    ) {
        self.path = path
        self.device = device
        self.index = index
        self.keep = keep
    }

    /// `logs.sqlite` in `$STATE_DIRECTORY`, or else in `$XDG_STATE_HOME/PROGRAM`, by default `~/.local/state/PROGRAM`.
    public static var defaultPath: String { LogStore.defaultPath }

    private enum CodingKeys: String, CodingKey, CaseIterable { case path, device, index, names, keep }

    private enum KeepKeys: String, CodingKey, CaseIterable { case age, size, streams }

    private static let ages = Duration.minutes(1) ... .days(36_600)

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        path = try options.path(.path, or: Self.defaultPath)
        device = try options.value(.device) ?? DeviceOptions.name(in: decoder) ?? ""
        index = try options.value(.index, or: [])
        guard !path.hasSuffix("/") else { throw options.problem(.path, "must be the path of a file") }
        guard !index.contains("") else { throw options.problem(.index, "must not contain an empty name") }
        names = try options.value(.names, or: names, in: 1...1_000_000)
        guard options.contains(.keep) else { return }
        let limits = try options.nestedContainer(keyedBy: KeepKeys.self, forKey: .keep)
        keep.age = try limits.value(.age, in: Self.ages)
        keep.size = try limits.value(.size, in: .mebibytes(1) ... .gibibytes(1 << 20))
        let streams: [StreamOptions] = try limits.value(.streams, or: [])
        keep.streams = streams.map { LogRetention.Stream($0.selection, age: $0.age) }
    }

    /// One of `keep.streams`.
    private struct StreamOptions: Decodable {
        let selection: LogSelection
        let age: Duration

        private enum CodingKeys: String, CodingKey, CaseIterable { case query, age }

        init(from decoder: any Decoder) throws {
            let stream = try decoder.container(keyedBy: CodingKeys.self)
            let query: String = try stream.value(.query, or: "")
            do throws(SelectionError) { selection = try LogSelection(parsing: query) } catch {
                throw stream.problem(.query, "\(error)")
            }
            guard !selection.conditions.isEmpty else {
                throw stream.problem(.query, "must contain a condition; keep.age applies to all records")
            }
            guard !selection.hasTimes else {
                throw stream.problem(.query, "must not contain since or until; use age")
            }
            guard stream.contains(.age) else { throw stream.problem(.age, "is missing") }
            age = try stream.value(.age, or: .zero, in: LogStoreOptions.ages)
        }
    }

    /// Returns the path of the database.
    public func destinations(of instance: PluginInstance) -> [String] { [DestinationPath.resolved(path)] }
}

extension LogStoreOptions: RetentionOptions {}
#endif
