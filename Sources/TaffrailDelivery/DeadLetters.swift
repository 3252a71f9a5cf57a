package import Taffrail

/// A record that the destination refused.
package struct DeadLetter: Sendable {
    package let frame: SpoolFrame
    /// As in a ``RecordBuffer``.
    package let record: [UInt8]
    /// What the destination answered.
    package let reason: String
}

/// The file `dead-letters` of a spool: frames of one record each.
package enum DeadLetters {
    static let name = "dead-letters"
    /// Dead letters that are to be sent again.
    static let again = "retry"
    /// The longest file, in bytes: what comes then is only counted.
    static let limit: Int64 = 64 << 20

    package static func path(in directory: String) -> String { directory + "/" + name }
    static func againPath(in directory: String) -> String { directory + "/" + again }

    /// Appends a record.
    ///
    /// - Returns: `false` when the file is full.
    static func append(_ part: SpoolReader.Part, reason: String, time: Int64, in directory: String)
        throws(SystemError) -> Bool
    {
        let file = try FileDescriptor(path(in: directory), [.readWrite, .create, .append, .ownFile])
        file.handOver(toOwnerOf: directory)
        guard try file.size < limit else { return false }
        var frame = SpoolFrame(run: part.run, time: time)
        frame.kind = .deadLetter
        if let buffer = RecordBuffer(bytes: part.bytes, run: part.run) {
            buffer.withBatch { $0.forEach { frame.add($0.level, $0.sequence) } }
        }
        try file.write(frame.bytes(with: part.bytes + Array(reason.utf8)))
        return true
    }

    /// Reads a file; none if it does not exist. What is damaged is left out.
    package static func read(_ path: String) throws(SystemError) -> [DeadLetter] {
        guard FileName.exists(path) else { return [] }
        let file = try FileDescriptor(path, [.read, .ownFile])
        let bytes = try file.read(try file.size, at: 0)
        var letters: [DeadLetter] = []
        var offset = 0
        while offset < bytes.count {
            let frame = bytes.withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            guard let frame, offset + frame.length <= bytes.count else {
                offset += 16
                continue
            }
            let payload = Array(
                bytes[offset + SpoolFrame.headerSize..<offset + SpoolFrame.headerSize + frame.payloadLength])
            offset += frame.length
            guard let length = RecordBuffer.length(ofRecordAt: 0, in: payload) else { continue }
            letters.append(
                DeadLetter(
                    frame: frame, record: Array(payload[..<length]),
                    reason: String(decoding: payload[length...], as: UTF8.self)))
        }
        return letters
    }

    /// Has the dead letters sent again, by the program that sends, now or when it runs next.
    ///
    /// - Returns: How many there are.
    package static func retry(in directory: String) throws(SystemError) -> Int {
        let count = try read(path(in: directory)).count
        guard count > 0 else { return 0 }
        let code = FileName.renameExclusively(path(in: directory), to: againPath(in: directory))
        guard code == 0 else { throw SystemError("rename \(path(in: directory))", code: code) }
        return count
    }

    /// Deletes the dead letters.
    ///
    /// - Returns: How many there were.
    package static func drop(in directory: String) throws(SystemError) -> Int {
        let count = try read(path(in: directory)).count
        try FileName.removeIfPresent(path(in: directory))
        return count
    }
}
