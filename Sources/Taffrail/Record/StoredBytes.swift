/// Encoded bytes on the heap: a message or attributes created outside a log call, or the attributes of a logger.
@usableFromInline
final class StoredBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Removes the bytes from an offset on from the scratch.
    @usableFromInline
    @inline(never)
    static func taking(from start: Int, of scratch: Scratch) -> StoredBytes {
        defer { scratch.cursor = start }
        return StoredBytes(scratch.bytes(from: start))
    }
}
