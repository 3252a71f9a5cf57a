import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The losses that sinks record in the ledger.
@Suite(.mayBlock) struct SinkBookTests {
    private let directory = TemporaryDirectory()

    private func book(in state: String) -> (SinkBook, LedgerFile) {
        let file = LedgerFile(directory: directory.file(state))
        return (SinkBook(sink: "http", ledgers: [file]), file)
    }

    @Test(arguments: ["logs/.taffrail", "queues/http"])
    func `a loss is recorded in a new directory when another program has deleted it`(state: String) throws {
        let (book, file) = book(in: state)
        try book.note(3, lostBy: .overflow, of: RingID(7), among: 1...3)
        try book.note(2, lostBy: .rejected, of: RingID(7))
        let drops = LedgerContents(try file.entries()).drops
        #expect(drops.map(\.count) == [3, 2] && drops.map(\.reason) == [.overflow, .rejected])
        let made = try #require(try FileStatus.of(file.directory))
        #expect(made.isDirectory && made.mode & 0o777 == 0o700)
    }

    @Test func `a loss that cannot be recorded is a temporary error, also if a file is in the way`() throws {
        try directory.write("", to: "logs")
        let (book, file) = book(in: "logs/.taffrail")
        for _ in 0..<2 {
            let error = #expect(throws: SinkError.self) { try book.note(3, lostBy: .overflow, of: RingID(7)) }
            #expect(error?.kind == .temporary && error?.reason.contains("ledger") == true)
        }
        #expect(try file.entries() == [])
    }
}
