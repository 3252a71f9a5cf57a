import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// A spool in a folder of its own, written and read as a sink and an uploader do.
final class SpoolFixture {
    let folder: TemporaryDirectory
    let clock: ManualClock
    private(set) var spool: Spool
    private(set) var options: SpoolOptions
    private(set) var book: SinkBook
    static let run = RingID(0xABCD)

    init(
        size: ByteSize = .mebibytes(64), age: Duration? = nil, whenFull: SpoolOptions.Full = .dropOldest
    ) throws {
        folder = TemporaryDirectory()
        clock = ManualClock()
        options = SpoolOptions(
            directory: folder.file("spool"), size: size, age: age, whenFull: whenFull)
        let state = folder.file(".taffrail")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        book = SinkBook(sink: "http", ledgers: [LedgerFile(directory: state)], statusDirectory: state)
        let clock = clock
        spool = Spool(options, now: { clock.nanoseconds })
        spool.setBook(book)
        try spool.open()
    }

    /// Closes the spool and opens it again, as a later run does.
    func reopen() throws {
        spool.close()
        let clock = clock
        spool = Spool(options, now: { clock.nanoseconds })
        spool.setBook(book)
        try spool.open()
    }

    var directory: String { options.directory }

    /// The paths of the segments, in order.
    var segments: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".segment") }.sorted().map { directory + "/" + $0 }
    }

    /// Changes a byte of a text in a closed spool, or of the header of the frame that contains it.
    func damage(_ text: String, inHeader: Bool = false) throws {
        let text = Data(text.utf8)
        let path = try #require(try segments.first { try Data(contentsOf: URL(filePath: $0)).range(of: text) != nil })
        var bytes = try Data(contentsOf: URL(filePath: path))
        var place = try #require(bytes.range(of: text))
        if inHeader {
            let start = bytes.range(of: Data("TFRM".utf8), options: .backwards, in: 0..<place.lowerBound)
            place = try #require(start)
        }
        bytes[place.lowerBound] ^= 0x20
        try bytes.write(to: URL(filePath: path))
    }

    static func record(_ number: Int, of run: RingID = SpoolFixture.run, length: Int = 0) -> LogRecord {
        LogRecord(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number)), sequence: UInt64(number),
            run: run, level: number % 10 == 0 ? .error : .info,
            message: "record \(number)" + String(repeating: ".", count: length),
            attributes: [LogValueEntry("number", .int(Int64(number)))])
    }

    /// Appends a batch of records with these numbers.
    @discardableResult
    func append(
        _ numbers: ClosedRange<Int>, of run: RingID = SpoolFixture.run, length: Int = 0
    ) throws -> UInt64 {
        var buffer = RecordBuffer(run: run, start: UInt64(numbers.lowerBound) << 20)
        for number in numbers { buffer.append(Self.record(number, of: run, length: length)) }
        return try buffer.withBatch { batch throws(SinkError) in
            try spool.append(batch)
            return batch.end
        }
    }

    /// The numbers of what waits, in order.
    func waiting() throws -> [Int] {
        var numbers: [Int] = []
        try SpoolInspection(directory).forEach { numbers.append(Int($0.sequence)) }
        return numbers
    }

    /// What the ledger says.
    var drops: [Ledger.Drop] {
        let entries = (try? LedgerFile(directory: folder.file(".taffrail")).entries()) ?? []
        return entries.compactMap { if case .drop(let drop)? = $0 { drop } else { nil } }
    }

    /// How many records the ledger has for a reason.
    func lost(_ reason: DropReason) -> Int { drops.filter { $0.reason == reason }.reduce(0) { $0 + Int($1.count) } }

    /// Delivers records 1 and 2, and deletes the segments, which then also have 3 to 5. The cursor remains.
    func deleteSegments(after upload: inout Upload) throws {
        try append(1...2)
        #expect(upload.run() == .idle)
        try append(3...5)
        for path in segments { try FileManager.default.removeItem(atPath: path) }
    }

    /// Sends everything with the given answers; the last one is repeated.
    func upload(to destination: FakeDestination, options: UploadOptions = UploadOptions()) -> Upload {
        let clock = clock
        return Upload(
            spool, to: destination, options: options,
            clock: UploadClock(wall: { clock.nanoseconds }, monotonic: { clock.nanoseconds }))
    }
}

/// A destination that answers as a test wants it to.
final class FakeDestination: Destination {
    struct Sent: Sendable, Equatable {
        var id: String
        var numbers: [Int]
    }

    private struct State {
        var sent: [Sent] = []
        var accepted: [Int] = []
        var answer: @Sendable ([Int]) -> Attempt = { _ in Attempt(.accepted(refused: 0), bytes: 100) }
        var isInterrupted = false
    }

    private let state = Locked(State())

    /// Everything that was sent.
    var sent: [Sent] { state.withLock { $0.sent } }
    /// The numbers of the records that were accepted.
    var accepted: [Int] { state.withLock { $0.accepted } }

    func answer(_ body: @escaping @Sendable ([Int]) -> Attempt) { state.withLock { $0.answer = body } }

    func send(_ batch: SpoolBatch) -> Attempt {
        var numbers: [Int] = []
        _ = batch.withRecords { batch in batch.forEach { numbers.append(Int($0.sequence)) } }
        let list = numbers
        let body = state.withLock { state in
            state.sent.append(Sent(id: batch.id, numbers: list))
            return state.answer
        }
        let attempt = body(list)
        if case .accepted = attempt.verdict { state.withLock { $0.accepted += list } }
        return attempt
    }

    func interrupt() { state.withLock { $0.isInterrupted = true } }
}

extension Upload {
    /// Sends until there is nothing more to be done now.
    mutating func run(isEnding: Bool = true, limit: Int = 10_000) -> Upload.Next {
        for _ in 0..<limit {
            let next = advance(isEnding: isEnding)
            if next != .now { return next }
        }
        return .now
    }
}
