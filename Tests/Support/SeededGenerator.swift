/// SplitMix64: the same numbers for the same seed, so that a failing case can be reproduced.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value &>> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value &>> 31)
    }

    /// A number in `0..<1`, the same as from `Double.random`, which takes much longer in a debug build.
    package mutating func unit() -> Double { Double(next() & 0x1F_FFFF_FFFF_FFFF) * 0x1p-53 }

    /// A copy of `bytes` with a few of them changed, removed or duplicated, or the end truncated.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &self)))
            case 2: bytes.removeSubrange(place...)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &self))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &self))
            default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            }
        }
        return bytes
    }
}
