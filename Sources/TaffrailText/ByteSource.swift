package import Taffrail

/// Where a reader's bytes come from.
package protocol ByteSource: AnyObject {
    /// Fills the start of `buffer`, blocking until there is something.
    ///
    /// - Returns: How many bytes were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
}

extension ByteSource {
    /// Everything up to the end, at most `limit` bytes.
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

/// A file that is read from its start to its end.
package final class FileSource: ByteSource {
    private let file: FileDescriptor
    private var place: Int

    /// Reads on from `offset`.
    package init(_ file: consuming FileDescriptor, from offset: Int = 0) {
        self.file = file
        place = offset
    }

    /// Opens a file for reading.
    package convenience init(path: String) throws(SystemError) { self.init(try FileDescriptor(reading: path)) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count =
            place < 0 ? try file.readNext(into: buffer) : try file.read(into: buffer, at: Int64(place))
        if place >= 0 { place += count }
        return count
    }
}
