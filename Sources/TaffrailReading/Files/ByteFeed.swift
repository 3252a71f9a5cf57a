internal import Taffrail
internal import TaffrailText

/// The bytes of a file, plain or gzip-compressed, starting at an offset.
final class ByteFeed: ByteSource {
    /// The open file.
    let file: FileDescriptor
    /// Its path in messages.
    let path: String
    /// The offset of the next byte, before decompression.
    private(set) var offset: Int64 = 0
    /// The offset at which reading currently ends; only in a plain file.
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
    func read(into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        if let gzip {
            let got = try gzip.read(bytes.count, to: base)
            offset += Int64(got)
            return got
        }
        let wanted = Int(min(Int64(bytes.count), limit - offset))
        guard wanted > 0 else { return 0 }
        let got = try file.read(into: UnsafeMutableRawBufferPointer(start: base, count: wanted), at: offset)
        offset += Int64(got)
        return got
    }
}
