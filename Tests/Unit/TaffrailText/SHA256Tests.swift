import TaffrailText
import Testing

@Suite struct SHA256Tests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `the hashes are those of the standard`(text: String, hash: String) {
        #expect(Self.hex(SHA256.hash(Array(text.utf8))) == hash)
    }

    @Test(arguments: [1, 7, 55, 56, 63, 64, 65, 128, 1_000]) func `a message may be hashed in parts`(size: Int) {
        let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        var stream = SHA256.Stream()
        for start in stride(from: 0, to: message.count, by: size) {
            stream.update(message[start..<min(start + size, message.count)])
        }
        #expect(stream.finish() == SHA256.hash(message))
        #expect(SHA256.Stream().finish() == SHA256.hash([]))
    }

    /// Test cases 1, 2 and 6 of RFC 4231.
    @Test func `the keyed hashes are those of RFC 4231`() {
        let first = SHA256.authentication(of: Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
        #expect(Self.hex(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = SHA256.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(Self.hex(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let long = SHA256.authentication(
            of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131))
        #expect(Self.hex(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
}
