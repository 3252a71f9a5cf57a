package import Taffrail

/// The decompressed bytes of a gzip file.
package final class GzipSource: ByteSource {
    private let file: FileDescriptor
    private let gzip: GzipReader

    /// Takes ownership of a file.
    ///
    /// - Throws: `ENOSYS` if zlib cannot be loaded.
    package init(_ file: consuming FileDescriptor) throws(SystemError) {
        gzip = try GzipReader(file)
        self.file = file
    }

    /// The number of bytes of the file that have been read.
    package var offset: Int { Int(gzip.offset) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        return try gzip.read(buffer.count, to: base)
    }
}

extension GzipReader {
    /// Returns whether a read error is due to a damaged or truncated file rather than to the system.
    package static func isDamage(_ error: SystemError) -> Bool {
        error.code == Errno.damaged || error.code == Errno.noData
    }
}
