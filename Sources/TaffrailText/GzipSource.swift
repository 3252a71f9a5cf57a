package import Taffrail

/// The bytes that a gzip file holds.
package final class GzipSource: ByteSource {
    private let file: FileDescriptor
    private let gzip: GzipReader

    /// Takes over a file.
    ///
    /// - Throws: `ENOSYS` where zlib cannot be loaded.
    package init(_ file: consuming FileDescriptor) throws(SystemError) {
        gzip = try GzipReader(file)
        self.file = file
    }

    /// Up to which byte of the file it has read.
    package var place: Int { Int(gzip.offset) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        return try gzip.read(buffer.count, to: base)
    }
}
