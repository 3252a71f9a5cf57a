internal import CTaffrail
internal import Glibc

/// Decompresses a gzip file from its start.
package final class GzipReader {
    private let path: String
    private let gzip: OpaquePointer

    /// Starts reading a file, which must stay open.
    ///
    /// - Throws: ENOSYS if zlib cannot be loaded.
    package init(_ file: borrowing FileDescriptor) throws(SystemError) {
        guard let gzip = taffrail_gunzip_open(file.number) else {
            throw SystemError("read \(file.path): zlib is not installed", code: ENOSYS)
        }
        path = file.path
        self.gzip = gzip
    }

    deinit { taffrail_gunzip_close(gzip) }

    /// The number of bytes of the file that have been read.
    package var offset: Int64 { taffrail_gunzip_offset(gzip) }

    /// Reads some bytes; 0 at the end.
    ///
    /// - Throws: EILSEQ for a damaged file, ENODATA for a truncated one.
    package func read(_ count: Int, to bytes: UnsafeMutableRawPointer) throws(SystemError) -> Int {
        let got = taffrail_gunzip_read(gzip, bytes, Int64(count))
        if got < 0 {
            let what = -got == EILSEQ ? "damaged near byte \(offset)" : "cut off at byte \(offset)"
            throw SystemError(
                -got == EILSEQ || -got == ENODATA ? "read \(path): \(what)" : "read \(path)", code: CInt(-got))
        }
        return Int(got)
    }
}
