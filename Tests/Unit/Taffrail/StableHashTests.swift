import Testing

@testable import Taffrail

/// Hashes that are on disk.
@Suite struct StableHashTests {
    @Test(
        arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
            as [(String, UInt64)])
    func `FNV-1a is that of its authors' test vectors`(text: String, hash: UInt64) {
        #expect(StableHash.fnv1a(text.utf8) == hash)
        #expect(StableHash.fnv1a(text.utf8.dropFirst(), after: StableHash.fnv1a(text.utf8.prefix(1))) == hash)
    }

    @Test func `the mixer returns the numbers of SplitMix64 for the seed 0`() {
        let seeds: [UInt64] = [0, 0x9E37_79B9_7F4A_7C15]
        #expect(seeds.map(StableHash.mixed) == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
    }

    @Test func `the number of a sink's destinations is that of earlier versions`() {
        #expect(SinkNames.destinationID(of: ["/log/app.log", "/log/b"]) == 0x325C_5DBE_9732_1A80)
        #expect(SinkNames.destinationID(of: []) == 0)
    }
}
