internal import CTaffrail

/// CRC32C (Castagnoli), by the processor's instruction if it has one.
package enum Checksum {
    /// Returns two interleaved lanes over a multiple of 16 bytes; see ``RecordLayout``.
    @inline(__always)
    static func lanes(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        guard let base = bytes.baseAddress else { return 0 }
        return taffrail_crc32c_lanes(base, bytes.count & ~15, seed)
    }

    /// Returns two lanes that continue others over a multiple of 16 bytes.
    @inline(__always)
    static func lanes(_ bytes: UnsafeRawBufferPointer, after lanes: UInt64) -> UInt64 {
        guard let base = bytes.baseAddress else { return lanes }
        return taffrail_crc32c_more(base, bytes.count & ~15, lanes)
    }

    /// Copies a multiple of 16 bytes and returns their lanes.
    @inline(__always)
    static func copy(_ bytes: UnsafeRawBufferPointer, to: UnsafeMutableRawPointer, seed: UInt64) -> UInt64 {
        guard let base = bytes.baseAddress else { return 0 }
        return taffrail_copy_crc32c(to, base, bytes.count & ~15, seed)
    }

    /// Returns the plain checksum of some bytes.
    package static func crc32c(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 0 }
        return taffrail_crc32c(base, bytes.count)
    }
}
