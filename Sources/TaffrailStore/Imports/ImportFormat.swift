#if Store
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText
public import TaffrailTracks

/// The formats of files whose positions can be imported.
public enum ImportFormat: Sendable, Hashable {
    /// A recording, or another track that Taffrail also writes.
    case track(TrackFormat)
    /// A file of OwnTracks Recorder, `.rec`.
    case ownTracks
    /// An export of Google's Timeline: `Timeline.json` of a phone, or `Records.json` of an account.
    case google

    /// All formats.
    public static let all: [ImportFormat] = TrackFormat.allCases.map { .track($0) } + [.ownTracks, .google]

    /// The name of the track's format, `owntracks` or `google`.
    public var name: String {
        switch self {
        case .track(let format): format.rawValue
        case .ownTracks: "owntracks"
        case .google: "google"
        }
    }

    /// Creates the format with a name.
    public init?(name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// Determines the format of a file: by its extension, ignoring case, and for `.json` by its contents. `.json.gz` is a
    /// compressed recording.
    public init?(path: String) {
        if path.lowercased().hasSuffix(".rec") {
            self = .ownTracks
        } else if path.lowercased().hasSuffix(".json"), Self.isOfGoogle(path) {
            self = .google
        } else if let format = TrackFormat(source: path) {
            self = .track(format)
        } else {
            return nil
        }
    }

    private static func isOfGoogle(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(reading: path) else { return false }
        var reader = JSONReader(FileSource(file), maximum: 65_536)
        do throws(ReadError) {
            try reader.skipByteOrderMark()
            switch try reader.next() {
            case .beginArray: return true
            case .beginObject:
                guard try reader.nextKey() else { return false }
                return reader.isText("locations") || reader.isText("semanticSegments") || reader.isText("rawSignals")
                    || reader.isText("userLocationProfile")
            default: return false
            }
        } catch {
            return false
        }
    }

    /// Opens a file to read its positions.
    func reader(_ file: String) throws(RecordingError) -> any ImportReader {
        if case .track(let format) = self { return TrackImport(try format.reader(path: file)) }
        do throws(SystemError) {
            switch self {
            case .google: return GoogleReader(FileSource(try FileDescriptor(reading: file)), path: file)
            case .ownTracks, .track: return OwnTracksReader(FileSource(try FileDescriptor(reading: file)), path: file)
            }
        } catch {
            throw RecordingError(error, path: file)
        }
    }
}
#endif
