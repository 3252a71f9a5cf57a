internal import Taffrail

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Makes a whole recording of a damaged one: keeps every event that can be read, byte for byte, also behind a damage,
/// and writes true metadata.
public struct RecordingRepair: Sendable, Hashable {
    /// Whether there was anything to do.
    public private(set) var wasWhole = false
    /// How many events the recording has now.
    public private(set) var events = 0
    /// How many bytes of it were no event that could be read, nor what stands between events.
    public private(set) var bytesLost = 0
    /// Where the damaged file is kept; `nil` when no byte was lost.
    public private(set) var keptAs: String?

    /// Repairs a file in place: beside it a new one is written and made durable, which then takes its name.
    ///
    /// - Parameter assumed: Stands for metadata that is lost.
    /// - Throws: When the file cannot be read or replaced, or is being written. It is then as it was.
    public init(of path: String, assumed: RecordingMetadata = RecordingMetadata()) throws(RecordingError) {
        let report = try RecordingReport(checking: path)
        guard !report.isWhole else {
            wasWhole = true
            events = report.events
            return
        }
        guard !RecordingArchive.isArchive(path) else {
            throw RecordingError(.malformed, path: path, reason: "is compressed and damaged; gunzip it first")
        }
        do throws(SystemFailure) {
            try repair(path, metadata: report.metadata, assumed: assumed)
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    private mutating func repair(
        _ path: String, metadata: RecordingMetadata?, assumed: RecordingMetadata
    ) throws(SystemFailure) {
        let source = try File(updating: path)
        guard source.lock() else { throw SystemFailure("\(path) is being written", code: EBUSY) }
        let temporary = path + ".repair"
        _ = FileNames.remove(temporary)
        var salvage = try RecordingSalvage(source)
        var event = try salvage.next()
        var next = metadata ?? assumed
        if next.recordedAt.nanoseconds == 0 || metadata == nil, let event, let time = event.timestamp {
            next.recordedAt = time - event.relativeTime
        }
        let lasted = next.duration
        next.duration = 0
        let writer = try RecordingWriter(path: temporary, metadata: next)
        do throws(SystemFailure) {
            while let found = event {
                writer.append(raw: found.bytes, relativeTime: found.relativeTime)
                if writer.pendingBytes > 1 << 20 { try writer.commit() }
                event = try salvage.next()
            }
            // A duration beyond the last event is believed only where the text was intact.
            try writer.close(duration: salvage.bytesLost == 0 && metadata != nil ? lasted : 0)
            if salvage.bytesLost > 0 { keptAs = try Self.keep(path) }
            try File.rename(temporary, to: path)
            try File(directory: File.directory(of: path)).sync()
        } catch {
            _ = FileNames.remove(temporary)
            throw error
        }
        events = writer.metadata.eventCount
        bytesLost = salvage.bytesLost
    }

    /// Gives the damaged file a second name, that of no other file.
    private static func keep(_ path: String) throws(SystemFailure) -> String {
        for number in 0..<1_000 {
            let name = path + (number == 0 ? ".damaged" : ".damaged-\(number)")
            let code = FileNames.link(path, to: name)
            if code == 0 { return name }
            if code != EEXIST { throw SystemFailure("link \(name)", code: code) }
        }
        throw SystemFailure("link \(path).damaged", code: EEXIST)
    }
}
