internal import CTaffrail

/// Compresses bytes with the system's libzstd.
package enum ZstdBytes {
    /// Whether the system has it.
    package static var isAvailable: Bool { taffrail_zstd_is_available() != 0 }

    /// libzstd's own default: from 1, the fastest, to 19, the smallest.
    private static let level: CInt = 3

    /// Returns the zstd form of some bytes; `nil` if libzstd or memory is not available.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = taffrail_zstd_bound(bytes.count)
        guard bound > 0 else { return nil }
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { space, count in
            count = bytes.withUnsafeBufferPointer {
                taffrail_zstd($0.baseAddress, $0.count, space.baseAddress, space.count, level)
            }
        }
        return packed.isEmpty ? nil : packed
    }
}
