public import FoundationEssentials
package import Taffrail
internal import TaffrailText

/// A summary of a recording in a list, read from its head and tail alone.
public struct RecordingInfo: Sendable, Hashable {
    /// The file's name, without its directory.
    public let name: String
    /// The start of the recording; if it is damaged, the modification time of the file.
    public let date: Date
    /// The file's size in bytes.
    public let size: Int64
    /// Its duration, in seconds: GeoLogger's sample uses a `TimeInterval` here.
    public let duration: TimeInterval
    /// The number of events.
    public let eventCount: Int
    /// The device that recorded it; empty if unknown.
    public let device: String
    /// The operating system of the device; empty if unknown.
    public let systemVersion: String
    /// Whether neither end of the file contains the metadata: the file is damaged, or was written by a program that
    /// writes the metadata in the middle. ``RecordingReport`` distinguishes the two.
    public let isMetadataMissing: Bool

    /// ``date`` as a record's timestamp.
    package var start: Timestamp { Timestamp(secondsSince1970: date.timeIntervalSince1970) }

    /// Reads the head and the tail of a file.
    ///
    /// - Throws: When it cannot be read.
    public init(path: String) throws(RecordingError) {
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            let isArchive = RecordingArchive.isArchive(path)
            let metadata = try isArchive ? RecordingArchive.metadata(file) : RecordingProbe.metadata(file)
            name = FileName.base(of: path)
            let status = try file.status()
            size = status.size
            let modified = Timestamp(nanoseconds: status.modified)
            let isKnown = metadata.map { $0.recordedAt.nanoseconds != 0 } ?? false
            let recorded = (isKnown ? metadata?.recordedAt : nil) ?? modified
            date = Date(timeIntervalSince1970: recorded.secondsSince1970)
            duration = metadata?.seconds ?? 0
            eventCount = metadata?.eventCount ?? 0
            device = metadata?.device ?? ""
            systemVersion = metadata?.systemVersion ?? ""
            isMetadataMissing = metadata == nil
        } catch {
            throw RecordingError(error, path: path)
        }
    }
}
