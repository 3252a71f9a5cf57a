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
