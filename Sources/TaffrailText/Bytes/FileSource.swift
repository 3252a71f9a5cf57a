package import Taffrail

/// A file, read from start to end.
package final class FileSource: ByteSource {
    private let file: FileDescriptor
    private var offset: Int

    /// Continues reading at `offset`.
    package init(_ file: consuming FileDescriptor, from offset: Int = 0) {
        self.file = file
        self.offset = offset
    }

    /// Opens a file for reading.
    package convenience init(path: String) throws(SystemError) { self.init(try FileDescriptor(reading: path)) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count =
            offset < 0 ? try file.readNext(into: buffer) : try file.read(into: buffer, at: Int64(offset))
        if offset >= 0 { offset += count }
        return count
    }
}
