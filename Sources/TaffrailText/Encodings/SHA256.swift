/// The hash function SHA-256 (FIPS 180-4), and HMAC with it (RFC 2104).
package enum SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = fractions { number in
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root - number) / (3 * root * root) }
        return root
    }

    /// The same for the square roots of the first 8 primes.
    private static let start: [UInt32] = Array(fractions { $0.squareRoot() }[..<8])

    private static func fractions(_ root: (Double) -> Double) -> [UInt32] {
        let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
        return primes.map { prime in
            let value = root(Double(prime))
            return UInt32((value - value.rounded(.down)) * 0x1p32)
        }
    }

    /// A message that is hashed part by part.
    package struct Stream {
        private var state = SHA256.start
        /// The bytes that do not fill a block yet.
        private var rest: [UInt8] = []
        private var count: UInt64 = 0

        /// An empty message.
        package init() {}

        /// Adds a part.
        package mutating func update(_ bytes: some Sequence<UInt8>) {
            rest.append(contentsOf: bytes)
            let whole = rest.count / 64 * 64
            rest.withUnsafeBytes { bytes in
                for block in stride(from: 0, to: whole, by: 64) {
                    compress(UnsafeRawBufferPointer(rebasing: bytes[block..<block + 64]), into: &state)
                }
            }
            rest.removeFirst(whole)
            count &+= UInt64(whole)
        }

        /// Returns the 32 bytes of the hash.
        package consuming func finish() -> [UInt8] {
            let bits = (count &+ UInt64(rest.count)) &* 8
            update([0x80] + [UInt8](repeating: 0, count: (119 - rest.count % 64) % 64))
            update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
            return state.flatMap { word in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
            }
        }
    }

    /// Returns the 32 bytes of the hash.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var stream = Stream()
        stream.update(message)
        return stream.finish()
    }

    /// Returns the 32 bytes of the keyed hash.
    package static func authentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > 64 ? hash(key) : key
        key += [UInt8](repeating: 0, count: 64 - key.count)
        return hash(key.map { $0 ^ 0x5C } + hash(key.map { $0 ^ 0x36 } + message))
    }

    /// Adds a block of 64 bytes to the state, which has 8 words.
    private static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for index in 0..<16 {
                words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
            }
            for index in 16..<64 {
                let (low, high) = (words[index &- 15], words[index &- 2])
                let first = turned(low, 7) ^ turned(low, 18) ^ low &>> 3
                let second = turned(high, 17) ^ turned(high, 19) ^ high &>> 10
                words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            constants.withUnsafeBufferPointer { constants in
                for index in 0..<64 {
                    let sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
                    let first = h &+ sum1 &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
                    let sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
                    let second = sum0 &+ (a & b ^ a & c ^ b & c)
                    (h, g, f, e) = (g, f, e, d &+ first)
                    (d, c, b, a) = (c, b, a, first &+ second)
                }
            }
            for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
        }
    }
}
