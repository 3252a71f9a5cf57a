internal import CTaffrail
internal import Glibc

/// Decompresses a file that gzip has compressed, from its start.
package final class GzipReader {
    private let path: String
    private let gzip: OpaquePointer

    /// Starts to read a file, which stays open as long as it is read.
    ///
    /// - Throws: ENOSYS where zlib cannot be loaded.
    package init(_ file: borrowing FileDescriptor) throws(SystemError) {
        guard let gzip = taffrail_gunzip_open(file.number) else {
            throw SystemError("read \(file.path): zlib is not installed", code: ENOSYS)
        }
        path = file.path
        self.gzip = gzip
    }

    deinit { taffrail_gunzip_close(gzip) }

    /// Up to which byte of the file it has read.
    package var offset: Int64 { taffrail_gunzip_offset(gzip) }

    /// Whether a failure to read is the file's, which is damaged or cut off, and not the system's.
    package static func isDamage(_ error: SystemError) -> Bool { error.code == EILSEQ || error.code == ENODATA }

    /// Reads some bytes; 0 at the end.
    ///
    /// - Throws: EILSEQ for a file that is damaged, ENODATA for one that is cut off.
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
