import Testing

@testable import Taffrail

@Suite struct HexTextTests {
    @Test func `a number has all of its digits, in either case, and no sign`() {
        #expect(HexText.number("00fF", count: 4) == 0xFF && HexText.number("ffffffffffffffff", count: 16) == .max)
        for text in ["", "0ff", "000ff", "+0ff", "0x0f", "00fg", "00é"] {
            #expect(HexText.number(text, count: 4) == nil)
        }
    }

    @Test func `a run is identified by 16 digits`() {
        let run = RingID(0x0123_4567_89AB_CDEF)
        #expect(RingID(run.description) == run && RingID("run-0123456789ABCDEF".dropFirst(4)) == run)
        #expect(RingID("+123456789abcdef") == nil && RingID("123456789abcdef") == nil)
    }

    @Test func `the identity of this boot is that of the system`() throws {
        let text = try FileDescriptor("/proc/sys/kernel/random/boot_id", .read).read(64, at: 0)
        let bytes = withUnsafeBytes(of: BootID.current) { Array($0) }
        let digits = bytes.map { HexText.string($0, width: 2) }.joined()
        #expect(digits == String(decoding: text.filter { $0 > 32 && $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }
}
