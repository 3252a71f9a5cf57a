import Glibc
import TaffrailTesting
import Testing

@testable import Taffrail

/// Short strings are copied in whole words, which may read beyond them but never unreadable memory.
struct TextCopyTests {
    /// Calls `body` with the end of a page that is followed by unreadable memory.
    private func withPageEnd(_ body: (UnsafeMutableRawPointer) throws -> Void) throws {
        let page = Int(getpagesize())
        let pages = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, 2 * page) }
        try #require(mprotect(pages + page, page, PROT_NONE) == 0)
        try body(pages + page)
    }

    @Test(arguments: 0...100)
    func `a string at the end of a page is copied, and nothing after it is read`(length: Int) throws {
        let text = (0..<length).map { UInt8(0x20 + $0 % 90) }
        try withPageEnd { end in
            // From the page's end on back, so that the text lies before, at and across where words still fit.
            for distance in [0, 1, 7, 15, 16, 31, 32, 64] {
                let from = end - length - distance
                from.copyMemory(from: text, byteCount: length)
                let room = UnsafeMutableRawBufferPointer.allocate(byteCount: length + 32, alignment: 16)
                defer { room.deallocate() }
                var place = try #require(room.baseAddress)
                #expect(place.put(from, length) == length)
                #expect(room.prefix(length).elementsEqual(text) && room.baseAddress.map { $0 + length } == place)
            }
        }
    }

    @Test func `texts of every length stand in a record as they are, between others`() {
        let log = MemoryLog()
        let whole = String(repeating: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", count: 3)
        // Parts of a long string, followed in memory by the rest of it.
        let texts = (0...100).map { String(whole.prefix($0)) }
        for (number, text) in texts.enumerated() {
            log.logger.info("\(text)|\(-number)|\(text)", ["text": LogValue(text)])
        }
        #expect(log.messages == texts.enumerated().map { "\($1)|\(-$0)|\($1)" })
        #expect(log.records.map { $0["text"] } == texts.map { LogValue($0) })
        #expect(log.records.allSatisfy { $0.source?.function.hasPrefix("texts of every length") == true })
    }
}
