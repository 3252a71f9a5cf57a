internal import Taffrail
internal import TaffrailText

/// Repairs a damaged recording: keeps every readable event byte for byte, including those after damage, in
/// chronological order, and writes correct metadata. Missing times of events are added.
///
/// A compressed recording is decompressed up to the damage, and compressed again.
public struct RecordingRepair: Sendable, Hashable {
    /// Whether the recording was intact, so that nothing was repaired.
    public private(set) var wasIntact = false
    /// The number of events that the recording now contains, including unknown types.
    public private(set) var events = 0
    /// The number of bytes that were neither readable events nor the JSON around them; for a compressed recording also
    /// bytes that could not be decompressed.
    public private(set) var bytesLost = 0
    /// Whether events were not in chronological order.
    public private(set) var wasOutOfOrder = false
    /// The path of the damaged file, if kept; `nil` when no byte was lost and no event moved.
    public private(set) var keptAs: String?

    /// Repairs a file: writes a new one next to it, makes it durable, and renames it.
    ///
    /// Uses constant memory, and 64 bytes per event if they are out of order.
    ///
    /// - Parameters:
    ///   - path: The recording.
    ///   - assumed: The metadata to use if they are lost.
    /// - Throws: When the file cannot be read or replaced, is not a recording, has an unsupported version, or is being
    ///   written. It is then unchanged.
    public init(of path: String, assumed: RecordingMetadata = RecordingMetadata()) throws(RecordingError) {
        let report = try RecordingReport(checking: path)
        if let reason = report.foreignVersion {
            throw RecordingError(.unsupportedVersion, path: path, reason: reason)
        }
        guard !report.isIntact else {
            wasIntact = true
            events = report.events
            return
        }
        let isRecording: Bool
        do throws(SystemError) {
            isRecording = try repair(path, metadata: report.metadata, assumed: assumed)
        } catch {
            throw RecordingError(error, path: path)
        }
        guard isRecording else { throw RecordingError(.malformed, path: path, reason: "not a recording") }
    }

    /// - Returns: `false` if the file is not a recording. It is then unchanged.
    private mutating func repair(
        _ path: String, metadata: RecordingMetadata?, assumed: RecordingMetadata
    ) throws(SystemError) -> Bool {
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
            let hasEventList = try Self.hasEventList(text)
            guard events > 0 || hasEventList || RecordingName.isOurs(FileName.base(of: path)) else {
                for name in temporary { try? FileName.remove(name) }
                return false
            }
            if isArchive { try RecordingArchive.compress(new) }
            if bytesLost > 0 || wasOutOfOrder { keptAs = try Self.keep(path) }
            try FileName.rename(isArchive ? new + RecordingArchive.suffix : new, to: path)
            if isArchive { try? FileName.remove(text) }
            try Directory.synchronize(Directory.parent(of: path) ?? ".")
            return true
        } catch {
            for name in temporary { try? FileName.remove(name) }
            throw error
        }
    }

    /// Returns whether a list of events begins near the start of a file, as in recordings without a readable event.
    private static func hasEventList(_ path: String) throws(SystemError) -> Bool {
        let head = try FileDescriptor(reading: path).read(64 << 10, at: 0).filter { $0 > 32 }
        return head.firstRange(of: "\"events\":[".utf8) != nil
    }

    /// Writes the events of a damaged recording into a new one.
    ///
    /// - Returns: `false` when they are not in chronological order and sorting was not requested.
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
            sorted.sort { ($0.relativeTime, $0.range.lowerBound) < ($1.relativeTime, $1.range.lowerBound) }
            found = sorted.first
        }
        var next = metadata ?? assumed
        if next.recordedAt.nanoseconds == 0 || metadata == nil, let found, let time = found.timestamp {
            next.recordedAt = time - Duration(clampingSeconds: found.relativeTime)
        }
        let lasted = next.seconds
        next.seconds = 0
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
        // A duration beyond the last event is trusted only if the recording was intact.
        try writer.close(seconds: bytesLost == 0 && metadata != nil ? lasted : 0)
        events = writer.metadata.eventCount
        return true
    }

    /// Links the damaged file to a second, unused name.
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
