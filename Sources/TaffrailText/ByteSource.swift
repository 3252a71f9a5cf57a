package import Taffrail

/// A source of bytes for a reader.
package protocol ByteSource: AnyObject {
    /// Fills the start of `buffer`; blocks until bytes are available.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
}

extension ByteSource {
    /// Returns all bytes up to the end, at most `limit`.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while result.count < limit {
            let count = try read(into: buffer)
            if count == 0 { break }
            result.append(contentsOf: buffer[..<count])
        }
        return Array(result.prefix(limit))
    }
}

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
