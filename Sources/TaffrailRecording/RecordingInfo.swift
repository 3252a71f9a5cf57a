public import FoundationEssentials
public import Taffrail
internal import TaffrailText

/// What a list of recordings says about one of them, read from its head and tail alone.
public struct RecordingInfo: Sendable, Hashable {
    /// The file's name, without its folder.
    public let name: String
    /// When the recording began; for a damaged one, when its file was last written.
    public let date: Date
    /// The file's size in bytes.
    public let size: Int64
    /// How long it is, in seconds.
    public let duration: TimeInterval
    /// How many events it has.
    public let eventCount: Int
    /// The device that recorded it; empty where that is not known.
    public let device: String
    /// The operating system of the device; empty where that is not known.
    public let systemVersion: String
    /// Whether neither end of the file says what it is: damaged, or the work of a program that puts the metadata
    /// into the middle. ``RecordingReport`` tells which.
    public let isDamaged: Bool

    /// ``date`` as records have it.
    package var start: Timestamp { Timestamp(date) }

    /// Reads the head and the tail of a file.
    ///
    /// - Throws: When it cannot be read.
    public init(path: String) throws(RecordingError) {
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            let isArchive = RecordingArchive.isArchive(path)
            let metadata = try isArchive ? RecordingArchive.metadata(file) : RecordingProbe.metadata(file)
            name = path.split(separator: "/").last.map(String.init) ?? path
            let status = try file.status()
            size = status.size
            let modified = Timestamp(nanoseconds: status.modified)
            let isKnown = metadata.map { $0.recordedAt.nanoseconds != 0 } ?? false
            date = ((isKnown ? metadata?.recordedAt : nil) ?? modified).date
            duration = metadata?.duration ?? 0
            eventCount = metadata?.eventCount ?? 0
            device = metadata?.device ?? ""
            systemVersion = metadata?.systemVersion ?? ""
            isDamaged = metadata == nil
        } catch {
            throw RecordingError(error, path: path)
        }
    }
}

extension Timestamp {
    /// The moment as Foundation's `Date`, to about a microsecond.
    public var date: Date { Date(timeIntervalSince1970: secondsSince1970) }

    /// Makes a moment from Foundation's `Date`.
    public init(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
}
