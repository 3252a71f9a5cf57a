/// Hashes that are the same in every process and version, unlike those of `Hasher`, whose seed differs in each process.
package enum StableHash {
    /// The FNV-1a hash of no bytes.
    @inlinable
    package static var empty: UInt64 { 0xCBF2_9CE4_8422_2325 }

    /// Returns the FNV-1a hash, 64 bits, of some bytes after others.
    ///
    /// - Parameter hash: The hash of the bytes before.
    @inlinable
    package static func fnv1a(_ bytes: some Sequence<UInt8>, after hash: UInt64 = empty) -> UInt64 {
        bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Mixes the bits of a number, so that adjacent numbers have unlike results, and different numbers different ones.
    ///
    /// It is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    @inlinable
    package static func mixed(_ key: UInt64) -> UInt64 {
        var bits = key &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
