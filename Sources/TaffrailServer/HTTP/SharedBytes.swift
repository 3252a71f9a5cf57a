#if Server
internal import NIOCore
#endif

/// Bytes that several connections send from a single copy.
package struct SharedBytes: Sendable {
    #if Server
    /// The bytes in the form that connections send.
    let buffer: ByteBuffer

    /// Creates a copy.
    init(_ bytes: [UInt8]) { buffer = ByteBuffer(bytes: bytes) }

    /// The number of bytes.
    var count: Int { buffer.readableBytes }

    /// A copy.
    package var bytes: [UInt8] { Array(buffer.readableBytesView) }
    #else
    package let bytes: [UInt8]

    /// Creates a copy.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes.
    var count: Int { bytes.count }
    #endif

    /// Returns whether both share the same memory, rather than being merely equal.
    func isCopy(of other: SharedBytes) -> Bool {
        #if Server
        buffer.withUnsafeReadableBytes { own in
            other.buffer.withUnsafeReadableBytes { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
        #else
        bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
        #endif
    }

    /// Appends them to other bytes.
    func append(to bytes: inout [UInt8]) {
        #if Server
        bytes.append(contentsOf: buffer.readableBytesView)
        #else
        bytes += self.bytes
        #endif
    }
}
