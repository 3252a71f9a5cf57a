package import Taffrail

/// The file `dead-letters` of a spool: frames of one record each.
package enum DeadLetters {
    private struct RecordID: Hashable {
        let run: RingID
        let number: UInt64
    }

    static let name = "dead-letters"
    /// The name of a file of dead letters to send again.
    static let again = "retry"
    /// The maximum length of the file, in bytes: later records are only counted.
    static let limit: Int64 = 64 << 20

    package static func path(in directory: String) -> String { directory + "/" + name }
    static func againPath(in directory: String) -> String { directory + "/" + again }

    /// Appends records, each as a separate part, in one write.
    ///
    /// - Returns: `false` when the file is full.
    static func append(_ parts: [SpoolBatch], reason: String, time: Int64, in directory: String)
        throws(SystemError) -> Bool
    {
        let file = try FileDescriptor(path(in: directory), [.readWrite, .create, .append, .ownFile])
        file.handOver(toOwnerOf: directory)
        let size = try file.size
        guard size < limit else { return false }
        // After a partial write left by a kill, continue at the next offset at which a reader expects a frame.
        var bytes = [UInt8](repeating: 0, count: -size & 15)
        for part in parts {
            var frame = SpoolFrame(run: part.run, time: time)
            frame.kind = .deadLetter
            if let buffer = RecordBuffer(bytes: part.bytes, run: part.run) {
                buffer.withBatch { $0.forEach { frame.add($0.level, $0.sequence) } }
            }
            bytes += frame.bytes(with: part.bytes + Array(reason.utf8))
        }
        do throws(SystemError) {
            try file.write(bytes)
            try file.synchronize()
        } catch {
            try? file.truncate(to: Int64(size))
            throw error
        }
        return true
    }

    /// Returns the identity of a file of dead letters, derived from its contents and the time at which it was last
    /// changed.
    static func id(of path: String) throws(SystemError) -> UInt64 {
        let file = try FileDescriptor(path, [.read, .ownFile])
        let sum = try file.read(try file.size, at: 0).withUnsafeBytes { Checksum.crc32c($0) }
        let id = UInt64(bitPattern: try file.status().modified) ^ (UInt64(sum) << 32)
        return max(1, id)
    }

    /// Returns the frames for letters to send again: one for each run.
    static func frames(of letters: [DeadLetter], id: UInt64) -> [(frame: SpoolFrame, payload: [UInt8])] {
        var frames: [(frame: SpoolFrame, payload: [UInt8])] = []
        for letter in letters.sorted(by: { $0.frame.first < $1.frame.first }) {
            let run = letter.frame.run
            if !frames.contains(where: { $0.frame.run == run }) {
                var frame = SpoolFrame(run: run, time: 0)
                frame.kind = .again
                frame.position = id
                frames.append((frame, []))
            }
            guard let index = frames.firstIndex(where: { $0.frame.run == run }),
                let buffer = RecordBuffer(bytes: letter.record, run: run)
            else { continue }
            buffer.withBatch { $0.forEach { frames[index].frame.add($0.level, $0.sequence) } }
            frames[index].payload += letter.record
        }
        return frames
    }

    /// Reads a file; returns no letters if it does not exist. Omits damaged letters, and duplicates that were added
    /// because of a kill before the letters were resolved.
    package static func read(_ path: String) throws(SystemError) -> [DeadLetter] {
        guard FileName.exists(path) else { return [] }
        let file = try FileDescriptor(path, [.read, .ownFile])
        let bytes = try file.read(try file.size, at: 0)
        var letters: [DeadLetter] = []
        var known: Set<RecordID> = []
        var offset = 0
        while offset < bytes.count {
            let frame = bytes.withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            guard let frame, offset + frame.length <= bytes.count else {
                offset += 16
                continue
            }
            let payload = Array(
                bytes[offset + SpoolFrame.headerSize..<offset + SpoolFrame.headerSize + frame.payloadLength])
            // A frame whose write was interrupted must not hide the next one.
            guard payload.withUnsafeBytes({ Checksum.crc32c($0) }) == frame.payloadSum else {
                offset += 16
                continue
            }
            offset += frame.length
            guard let length = RecordBuffer.length(ofRecordAt: 0, in: payload),
                frame.run == .none || known.insert(RecordID(run: frame.run, number: frame.first)).inserted
            else { continue }
            letters.append(
                DeadLetter(
                    frame: frame, record: Array(payload[..<length]),
                    reason: ResponseText.line(String(decoding: payload[length...], as: UTF8.self))))
        }
        return letters
    }

    /// Makes the sending program send the dead letters again, now or when it next runs.
    ///
    /// - Returns: The number of letters.
    package static func retry(in directory: String) throws(SystemError) -> Int {
        let count = try read(path(in: directory)).count
        guard count > 0 else { return 0 }
        let code = FileName.renameExclusively(path(in: directory), to: againPath(in: directory))
        guard code == 0 else { throw SystemError("rename \(path(in: directory))", code: code) }
        return count
    }

    /// Deletes the dead letters.
    ///
    /// - Returns: The number of deleted letters.
    package static func drop(in directory: String) throws(SystemError) -> Int {
        let count = try read(path(in: directory)).count
        try FileName.removeIfPresent(path(in: directory))
        return count
    }
}
