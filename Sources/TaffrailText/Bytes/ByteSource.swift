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
        try [UInt8](limit: limit) { buffer throws(SystemError) in try read(into: buffer) }
    }
}
