internal import CTaffrail
internal import Taffrail

/// Compresses bytes with the system's zlib.
package enum GzipBytes {
    /// Returns the gzip form of some bytes; `nil` if zlib or memory is not available.
    ///
    /// - Parameter level: From 1, the fastest, to 9, the smallest.
    package static func compressed(_ bytes: [UInt8], level: Int = 1) -> [UInt8]? {
        guard taffrail_gzip_is_available() != 0 else { return nil }
        do throws(SystemError) {
            let input = try FileDescriptor(inMemory: "gzip")
            let output = try FileDescriptor(inMemory: "gzip")
            try input.write(bytes, at: 0)
            var (stop, length) = (UInt32(0), Int64(0))
            guard taffrail_gzip(input.number, output.number, CInt(level), &stop, &length) == 0 else { return nil }
            return try output.read(try output.size, at: 0)
        } catch {
            return nil
        }
    }
}
