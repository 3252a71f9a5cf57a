internal import CTaffrail
internal import Glibc
package import Taffrail

/// The bytes that a gzip file holds.
package final class GzipSource: ByteSource {
    private let file: File
    private let stream: OpaquePointer

    /// Takes over a file.
    ///
    /// - Throws: `ENOSYS` where zlib cannot be loaded.
    package init(_ file: consuming File) throws(SystemError) {
        guard let stream = taffrail_gunzip_open(file.descriptor) else {
            throw SystemError("libz.so.1 is needed to read \(file.path)", code: ENOSYS)
        }
        self.file = file
        self.stream = stream
    }

    deinit { taffrail_gunzip_close(stream) }

    /// Up to which byte of the file it has read.
    package var place: Int { Int(taffrail_gunzip_offset(stream)) }

    /// Whether a failure to read is not the system's but the file's.
    package static func isDamage(_ failure: SystemError) -> Bool { failure.code == EILSEQ || failure.code == ENODATA }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        let count = taffrail_gunzip_read(stream, base, Int64(buffer.count))
        guard count >= 0 else {
            throw SystemError("decompress \(file.path)", code: Int32(truncatingIfNeeded: -count))
        }
        return Int(count)
    }
}
