/// A gzip file: one created by ``Compressor``, or a log that another program has compressed.
struct CompressedFile {
    private let path: String

    /// The header that zlib writes for the compressor's level: no name, no time. gzip itself writes at least the name.
    private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    private static let chunk = 64 << 10

    init(_ path: String) { self.path = path }

    /// Returns whether the file was created by this compressor, is complete, and decompresses to the contents of
    /// `source`, byte for byte. If so, it survives power loss.
    ///
    /// - Throws: ECANCELED if `isCancelled` returns true, and the error of reading either file.
    func hasAll(of source: String, isCancelled: () -> Bool) throws(SystemError) -> Bool {
        let flags: OpenFlags = [.read, .ownFile]
        let file = try FileDescriptor(path, flags)
        guard try file.status().isRegular, try file.read(Self.head.count, at: 0) == Self.head else { return false }
        try file.synchronize()
        let plain = try FileDescriptor(source, flags)
        guard try plain.status().isRegular else { return false }
        let gzip = try GzipReader(file)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunk, alignment: 1)
        defer { chunk.deallocate() }
        var offset: Int64 = 0
        while !isCancelled() {
            let count: Int
            do throws(SystemError) {
                count = try gzip.read(Self.chunk, to: chunk)
            } catch {
                if error.code == Errno.damaged || error.code == Errno.noData { return false }
                throw error
            }
            let wanted = try plain.read(max(1, count), at: offset)
            guard wanted.elementsEqual(UnsafeRawBufferPointer(start: chunk, count: count)) else { return false }
            if count == 0 { return true }
            offset += Int64(count)
        }
        throw SystemError("compare \(path)", code: Errno.cancelled)
    }

    /// Returns some of the decompressed bytes; fewer at the end.
    ///
    /// - Throws: The error of reading the file.
    func bytes(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(path, [.read, .ownFile])
        let gzip = try GzipReader(file)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunk, alignment: 1)
        defer { chunk.deallocate() }
        var bytes: [UInt8] = []
        var position: Int64 = 0
        while bytes.count < count {
            let length = try gzip.read(Self.chunk, to: chunk)
            if length == 0 { break }
            let skipped = Int(min(max(offset - position, 0), Int64(length)))
            bytes += UnsafeRawBufferPointer(start: chunk, count: length)[skipped...].prefix(count - bytes.count)
            position += Int64(length)
        }
        return bytes
    }
}
