internal import Taffrail
internal import TaffrailText

/// Makes a whole recording of a damaged one: keeps every event that can be read, byte for byte, also behind a damage,
/// in the order of their times, and writes true metadata. An event that does not say when it was gets a time.
///
/// Of a compressed recording it keeps what can be decompressed before the damage, and compresses that again.
public struct RecordingRepair: Sendable, Hashable {
    /// Whether there was anything to do.
    public private(set) var wasWhole = false
    /// How many events the recording has now, those of unknown types among them.
    public private(set) var events = 0
    /// How many bytes of it were no event that could be read, nor what stands around events; of a compressed one also
    /// those that could not be decompressed.
    public private(set) var bytesLost = 0
    /// Whether events lay in another order than that of their times.
    public private(set) var wasOutOfOrder = false
    /// Where the damaged file is kept; `nil` when no byte was lost and no event moved.
    public private(set) var keptAs: String?

    /// Repairs a file in place: beside it a new one is written and made durable, which then takes its name.
    ///
    /// Takes constant memory, and 64 bytes an event where they are out of order.
    ///
    /// - Parameter assumed: Stands for metadata that is lost.
    /// - Throws: When the file cannot be read or replaced, has another version, or is being written. It is then as it was.
    public init(of path: String, assumed: RecordingMetadata = RecordingMetadata()) throws(RecordingError) {
        let report = try RecordingReport(checking: path)
        if let reason = report.foreignVersion {
            throw RecordingError(.unsupportedVersion, path: path, reason: reason)
        }
        guard !report.isWhole else {
            wasWhole = true
            events = report.events
            return
        }
        do throws(SystemError) {
            try repair(path, metadata: report.metadata, assumed: assumed)
        } catch {
            throw RecordingError(error, path: path)
        }
    }

    private mutating func repair(
        _ path: String, metadata: RecordingMetadata?, assumed: RecordingMetadata
    ) throws(SystemError) {
        let source = try FileDescriptor(updating: path)
        guard source.lock() else { throw SystemError("\(path) is being written", code: Errno.busy) }
        defer { source.unlock() }
        let isArchive = RecordingArchive.isArchive(path)
        let (text, new) = (isArchive ? path + ".text" : path, path + ".repair")
        let temporary = [new, new + RecordingArchive.suffix] + (isArchive ? [text] : [])
        for name in temporary { try? FileName.remove(name) }
        do throws(SystemError) {
            if isArchive { bytesLost = try RecordingArchive.expand(path, to: text) }
            let before = bytesLost
            if try !rewrite(text, to: new, metadata, assumed, sorts: false) {
                wasOutOfOrder = true
                bytesLost = before
                try? FileName.remove(new)
                _ = try rewrite(text, to: new, metadata, assumed, sorts: true)
            }
            if isArchive { try RecordingArchive.compress(new) }
            if bytesLost > 0 || wasOutOfOrder { keptAs = try Self.keep(path) }
            try FileName.rename(isArchive ? new + RecordingArchive.suffix : new, to: path)
            if isArchive { try? FileName.remove(text) }
            try Directory.synchronize(Directory.parent(of: path) ?? ".")
        } catch {
            for name in temporary { try? FileName.remove(name) }
            throw error
        }
    }

    /// Writes the events of a text into a new recording.
    ///
    /// - Returns: `false` when they are not in the order of their times, and nobody has asked to sort them.
    private mutating func rewrite(
        _ text: String, to new: String, _ metadata: RecordingMetadata?, _ assumed: RecordingMetadata, sorts: Bool
    ) throws(SystemError) -> Bool {
        var salvage = try RecordingSalvage(text)
        var found = try salvage.next()
        var sorted: [RecordingSalvage.Event] = []
        if sorts {
            while let event = found {
                sorted.append(event)
                found = try salvage.next()
            }
            sorted.sort { ($0.relativeTime, $0.place.lowerBound) < ($1.relativeTime, $1.place.lowerBound) }
            found = sorted.first
        }
        var next = metadata ?? assumed
        if next.recordedAt.nanoseconds == 0 || metadata == nil, let found, let time = found.timestamp {
            next.recordedAt = time - found.relativeTime
        }
        let lasted = next.duration
        next.duration = 0
        let writer = try RecordingWriter(path: new, metadata: next)
        var last = 0.0
        var index = 0
        while let event = found {
            guard event.relativeTime >= last else { return false }
            last = event.relativeTime
            writer.append(raw: try salvage.text(of: event), relativeTime: last)
            if writer.pendingBytes > 1 << 20 { try writer.commit() }
            index += 1
            found = sorts ? (index < sorted.count ? sorted[index] : nil) : try salvage.next()
        }
        bytesLost += salvage.bytesLost
        // A duration beyond the last event is believed only where the text was intact.
        try writer.close(duration: bytesLost == 0 && metadata != nil ? lasted : 0)
        events = writer.metadata.eventCount
        return true
    }

    /// Gives the damaged file a second name, that of no other file.
    private static func keep(_ path: String) throws(SystemError) -> String {
        for number in 0..<1_000 {
            let name = path + (number == 0 ? ".damaged" : ".damaged-\(number)")
            do throws(SystemError) {
                try FileName.link(path, to: name)
                return name
            } catch {
                if !error.isTaken { throw error }
            }
        }
        throw SystemError("link \(path).damaged", code: Errno.taken)
    }
}
