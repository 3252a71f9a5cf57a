import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Recoveries that give up the records of a sink.
@Suite(.mayBlock) struct GivenUpSinkTests {
    private let directory = TemporaryDirectory()

    /// Leaves a ring with two records that wait for a sink `gone`, and three that its filter withholds from it.
    private func leaveRing() -> String {
        var ring = CraftedRing(sinks: ["memory", "gone"])
        for n in 1...5 { ring.append(LogRecord(level: n % 2 == 0 ? .error : .info, message: "\(n)")) }
        let end = ring.position
        ring.withHeader { header in
            header.nextSequence = 6
            header.setPosition(ofSlot: 0, end)
            RingFilters.store([(1, SinkFilter(level: .error))], in: header)
        }
        let path = directory.file("\(ring.run).ring")
        ring.write(to: path)
        return path
    }

    private func open(_ path: String) -> RingFile? {
        RecoveryRun.awaitUnlocked(directory.path)
        guard case .readable(let ring) = RingFile.open(path) else { return nil }
        return ring
    }

    @Test func `all that a sink given up lacks is in the ledger before its part of the ring ends`() throws {
        let path = leaveRing()
        let ring = try #require(open(path))
        var scope = Recovery.Scope(directories: [directory.path])
        scope.ledgers = [LedgerFile(directory: directory.path)]
        var work = RecoveredRing(ring, [], scope)
        var position = ring.header.head
        while let stretch = try ring.next(from: position, sequence: &work.sequence) {
            work.skip(stretch, ProcessorChain([]))
            position = stretch.end
        }
        work.end = position
        work.giveUp(["gone"])
        // A kill now would leave this.
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        var counts: [String: UInt64] = [:]
        for drop in drops { counts["\(drop.reason) \(drop.sink)", default: 0] += drop.count }
        #expect(counts == ["discarded gone": 2, "filtered gone": 3])
        #expect(ring.header.position(ofSlot: 1) == position)
    }
}
