internal import CTaffrail
internal import Taffrail
internal import TaffrailText

/// Compressed closed recordings: `geo_log_….json.gz`, which `gunzip` restores.
///
/// The file starts with an empty member whose comment is the recording's metadata, so that a list can be printed
/// without decompressing the file.
enum RecordingArchive {
    static let suffix = ".gz"
    private static let headLength = 4_096
    private static let level: Int32 = 6

    static func isArchive(_ path: String) -> Bool { path.hasSuffix(suffix) }

    /// Compresses a recording and deletes the original.
    static func compress(_ path: String) throws(SystemError) {
        let source = try FileDescriptor(reading: path)
        guard source.lock() else { throw SystemError("\(path) is being written", code: Errno.busy) }
        defer { source.unlock() }
        let hidden = try HiddenFile(for: path + suffix)
        do throws(SystemError) {
            let target = try hidden.opened(as: path + suffix)
            _ = target.lock()
            let head = member(try RecordingProbe.metadata(source))
            try target.write(head)
            var stop: UInt32 = 0
            var length: Int64 = 0
            let code = taffrail_gzip(source.number, target.number, level, &stop, &length)
            guard code == 0 else { throw SystemError("compress \(path)", code: code) }
            try target.synchronize(withAttributes: true)
            try hidden.rename(to: path + suffix)
        } catch {
            hidden.remove()
            throw error
        }
        try FileName.remove(path)
    }

    /// Decompresses the readable part into a new file, which remains if the program dies.
    ///
    /// - Returns: The number of bytes of the compressed file that could not be read; 0 if it is intact.
    static func expand(_ path: String, to text: String) throws(SystemError) -> Int {
        let source = try GzipSource(try FileDescriptor(reading: path))
        let target = try FileDescriptor(creating: text)
        var end: Int64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do throws(SystemError) {
                count = try source.read(into: buffer)
            } catch {
                guard GzipReader.isDamage(error) else { throw error }
                // At least the checksum at the end is wrong.
                return max(1, try FileDescriptor(reading: path).size - source.offset)
            }
            guard count > 0 else { return 0 }
            try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: end)
            end += Int64(count)
        }
    }

    /// Returns an empty member of a gzip file with a comment: the metadata as JSON, in ASCII without NUL.
    private static func member(_ metadata: RecordingMetadata?) -> [UInt8] {
        var comment: [UInt8] = []
        metadata?.append(to: &comment)
        let ascii = String(decoding: comment, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            scalar.isASCII ? [UInt8(scalar.value)] : scalar.utf16Escape
        }
        // Deflate, with a comment, no time; the comment; an empty block; its checksum and length.
        return [0x1F, 0x8B, 8, 0x10, 0, 0, 0, 0, 0, 255] + ascii + [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// Returns the metadata in the comment; `nil` if there is none.
    static func metadata(_ file: borrowing FileDescriptor) throws(SystemError) -> RecordingMetadata? {
        let head = try file.read(headLength, at: 0)
        guard head.count > 12, head[0] == 0x1F, head[1] == 0x8B, head[3] == 0x10,
            let end = head[10...].firstIndex(of: 0), end > 10
        else { return nil }
        var reader = JSONReader(head[10..<end])
        return try? RecordingMetadata(&reader)
    }
}

extension Unicode.Scalar {
    /// The scalar as a JSON escape sequence.
    fileprivate var utf16Escape: [UInt8] {
        Character(self).utf16.flatMap { Array(("\\u" + HexText.string($0, width: 4)).utf8) }
    }
}
