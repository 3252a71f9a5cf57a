internal import Taffrail

/// The bytes of a file, plain or gzip-compressed, from an offset on.
final class ByteFeed {
    /// The open file.
    let file: FileDescriptor
    /// Its path in messages.
    let path: String
    /// The offset of the next byte, before decompression.
    private(set) var offset: Int64 = 0
    /// The present end of reading, in a plain file.
    var limit = Int64.max
    private let gzip: GzipReader?

    /// Starts reading a file.
    init(_ file: consuming FileDescriptor, path: String, isCompressed: Bool) throws(SystemError) {
        self.path = path
        gzip = isCompressed ? try GzipReader(file) : nil
        self.file = file
        if !isCompressed { self.file.advise(isSequential: true) }
    }

    /// Whether the file is compressed, and so can only be read from its start.
    var isCompressed: Bool { gzip != nil }

    /// Seeks in a plain file.
    func seek(to offset: Int64) { self.offset = offset }

    /// Reads bytes; 0 at the end, or at the limit.
    func read(_ count: Int, to bytes: UnsafeMutableRawPointer) throws(SystemError) -> Int {
        if let gzip {
            let got = try gzip.read(count, to: bytes)
            offset += Int64(got)
            return got
        }
        let wanted = Int(min(Int64(count), limit - offset))
        guard wanted > 0 else { return 0 }
        let got = try file.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: wanted), at: offset)
        offset += Int64(got)
        return got
    }
}
