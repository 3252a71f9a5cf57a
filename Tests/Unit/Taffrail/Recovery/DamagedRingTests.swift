import Foundation
import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// A ring is untrusted input.
@Suite(.mayBlock) struct DamagedRingTests {
    private let directory = TemporaryDirectory()
    /// That of the rings that are damaged.
    private static let capacity = 8 << 10
    private var path: String { directory.file("000000000000f11e.ring") }

    private func record(_ n: Int) -> LogRecord {
        LogRecord(
            level: Level.allCases[n % 7], message: "record \(n) \(String(repeating: "x", count: n * 37 % 300))",
            attributes: [LogValueEntry("n", .int(Int64(n))), LogValueEntry("list", .array([.int(1), "two"]))],
            logger: n % 3 == 0 ? "net.http" : "",
            source: LogRecord.SourceLocation(file: "A/B.swift", function: "f\(n % 5)()", line: UInt32(n)))
    }

    private func ring(
        start: UInt64, capacity: Int = 16 << 10, version: UInt32 = RingHeader.version
    ) -> CraftedRing {
        var ring = CraftedRing(capacity: capacity, start: start, version: version)
        ring.fill(
            atSites: { $0 % 3 > 0 },
            ambient: { $0 % 4 == 0 ? [] : [LogValueEntry("ambient", .int(Int64($0 % 4)))] }, record)
        return ring
    }

    /// Which records a recovery gives.
    private func recovered() -> [LogRecord] {
        let sink = MemorySink()
        _ = RecoveryRun(directory.path, sinks: [sink])
        return sink.records
    }

    @Test(arguments: [0, 16 << 10, 5008], [2, 3] as [UInt32])
    func `an intact ring of either format is recovered completely, also around its end`(start: UInt64, version: UInt32)
    {
        let ring = ring(start: start, version: version)
        #expect(ring.records.contains { $0.record["ambient"] == 3 } == (version == 3))
        ring.write(to: path)
        #expect(recovered() == ring.records.map(\.record))
        #expect(ring.records.count > 30)
        #expect(Recovery.rings(in: directory.path) == [])
        #expect(recovered() == [])
    }

    /// Damages a file in some places; returns whether it has hit the header or the file's length, the call sites, and the
    /// ambient attributes.
    private func damage(
        _ bytes: inout [UInt8], version: UInt32, _ random: inout SeededGenerator
    ) -> (isHeaderHit: Bool, areSitesHit: Bool, areContextsHit: Bool) {
        // Of the tables only the start is used.
        let sites = RingHeader.siteOffset(version: version)
        let parts = [
            0..<RingHeader.length, sites..<sites + 256,
            RingHeader.length..<RingHeader.length + (version < 3 ? 256 : 4 * 528),
        ]
        let dataOffset = RingHeader.dataOffset(capacity: Self.capacity, version: version)
        var hits: Set<Int> = []
        for _ in 0..<(1 + random.next() % 4) {
            let number = Int(random.next() % 8)
            let part = number < parts.count ? parts[number] : dataOffset..<bytes.count
            let place = part.lowerBound + Int(random.next() % UInt64(part.count))
            let length = [1, 1, 8, 64, 1024][Int(random.next() % 5)]
            let kind = random.next() % 5
            for index in place..<min(place + length, part.upperBound) {
                switch kind {
                case 0: bytes[index] ^= 1 << UInt8(random.next() % 8)
                case 1: bytes[index] = 0
                case 2: bytes[index] = 0xFF
                // Another part of the file, so that complete records are at wrong positions.
                case 3: bytes[index] = bytes[(index + place) % bytes.count]
                default: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            hits.insert(number)
        }
        switch random.next() % 20 {
        case 0: bytes.removeLast(1 + Int(random.next() % UInt64(bytes.count)))
        case 1: bytes += [UInt8](repeating: 0xA5, count: 1 + Int(random.next() % 9000))
        default: return (hits.contains(0), hits.contains(1) || hits.contains(2) && version < 3, hits.contains(2))
        }
        return (true, true, true)
    }

    /// The messages of the records whose bytes are as they were.
    private func intact(_ ring: CraftedRing, _ original: CraftedRing) -> [String] {
        ring.bytes.withUnsafeBytes { bytes in
            original.bytes.withUnsafeBytes { originals in
                func isSame(_ range: Range<Int>) -> Bool {
                    guard let one = bytes.baseAddress, let two = originals.baseAddress else { return false }
                    return memcmp(one + range.lowerBound, two + range.lowerBound, range.count) == 0
                }
                return original.records.filter { record in
                    let place = ring.place(record.position)
                    let end = min(place + record.length, bytes.count)
                    let start = RingHeader.dataOffset(capacity: original.capacity, version: original.version)
                    let rest = start..<start + record.length - (end - place)
                    return isSame(place..<end) && isSame(rest)
                }.map(\.record.message)
            }
        }
    }

    @Test func `whatever is flipped, truncated or added, nothing crashes, and every intact record is recovered once`() {
        let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil
        var random = SeededGenerator(seed: 20_260_105)
        let rings = [(0, 3), (5008, 3), (1 << 40, 3), (0, 2), (5008, 2)].map {
            ring(start: $0, capacity: Self.capacity, version: $1)
        }
        let originals = rings.map {
            Dictionary(uniqueKeysWithValues: $0.records.map { ($0.record.message, $0.record) })
        }
        for number in 0..<(isLong ? 200_000 : 2000) {
            var ring = rings[number % rings.count]
            let (isHeaderHit, areSitesHit, areContextsHit) = damage(&ring.bytes, version: ring.version, &random)
            ring.write(to: path)
            let found = recovered()
            // A record's number is not covered by its checksum: damaging it changes nothing else.
            let isKnown = found.allSatisfy { found in
                let original = originals[number % rings.count][found.message]
                let isPlaceKnown = original?.source == found.source || areSitesHit && found.source == nil
                let own = areContextsHit ? original?.attributes.filter { $0.key != "ambient" } : nil
                let areAttributesKnown =
                    original?.attributes == found.attributes || areContextsHit && own == found.attributes
                return areAttributesKnown && isPlaceKnown
            }
            let messages = found.map(\.message)
            let isOnce = Set(messages).count == messages.count
            let intact = isHeaderHit ? [] : Set(intact(ring, rings[number % rings.count]))
            let isComplete = intact.isSubset(of: messages)
            if !(isKnown && isOnce && isComplete) {
                Issue.record("case \(number): known \(isKnown), once \(isOnce), complete \(isComplete)")
            }
            unlink(path)
        }
    }

    @Test func `damaged records are skipped and counted once, those around them are recovered`() {
        let captured = CapturedDiagnostics()
        var ring = ring(start: 0)
        for index in [3, 4, 9] { ring.bytes[ring.place(ring.records[index].position) + 60] ^= 0x10 }
        ring.write(to: path)
        let wanted = ring.records.map(\.record).enumerated().filter { ![3, 4, 9].contains($0.offset) }.map(\.element)
        #expect(recovered() == wanted)
        #expect(captured.lines(with: path) == ["\(path): 3 damaged records were skipped"])
    }

    @Test func `ambient attributes that are damaged, or of another generation, are omitted and counted`() {
        let ambient = { [LogValueEntry("ambient", .int($0))] }
        let source = LogRecord.SourceLocation(file: "A/B.swift", function: "f()", line: 1)
        func ring() -> CraftedRing {
            var ring = CraftedRing()
            for n in 0..<4 {
                ring.append(
                    LogRecord(level: .info, message: "\(n)", source: source), isAtSite: true,
                    ambient: n == 3 ? [] : ambient(Int64(n / 2)))
            }
            return ring
        }
        // The value of the first slot's attribute, then the generation of the second's.
        for (offset, without, report) in [
            (RingHeader.length + 16 + 2 + 7, 2, "2 records have lost their ambient attributes"),
            (RingHeader.length + 528 + 4, 1, "1 record has lost its ambient attributes"),
        ] {
            let captured = CapturedDiagnostics()
            var ring = ring()
            ring.bytes[offset] ^= 1
            ring.write(to: path)
            let found = recovered()
            #expect(found.map(\.message) == ["0", "1", "2", "3"])
            #expect(found.filter { $0["ambient"] == nil }.count == without + 1)
            #expect(captured.lines(with: path) == ["\(path): \(report)"])
        }
    }

    @Test(arguments: [1, 4, 255] as [UInt32]) func `another format is refused by its number`(version: UInt32) throws {
        var ring = ring(start: 0)
        ring.bytes[8] = UInt8(version)
        try #require(mkdir(directory.file(".taffrail"), 0o700) == 0)
        let path = directory.file(".taffrail/000000000000f11e.ring")
        ring.write(to: path)
        let sink = MemorySink()
        let recovery = RecoveryRun(directory.file(".taffrail"), sinks: [sink])
        let reason = "ring format \(version); this program reads formats 2 to 3"
        #expect(recovery.recovery.refused == ["\(path): \(reason)"])
        let status = try QueueStatus.read(directory: directory.path)
        #expect(status.queues.isEmpty && status.problems.count == 1)
        #expect(status.problems.first?.contains(reason) == true)
        guard case .refused(let refusal) = RingLines.read(path, .unknown, isRaw: false) else {
            Issue.record("it was read")
            return
        }
        #expect(refusal.contains(reason))
        #expect(try RingCheckpoint.read(path, ring.run, 0) == nil)
        #expect(Recovery.rings(in: directory.file(".taffrail")).count == 1)
    }

    @Test func `a ring of format 2 is drained, and read by tail, status and the resolving of intents`() throws {
        let ring = ring(start: 0, version: 2)
        try #require(mkdir(directory.file(".taffrail"), 0o700) == 0)
        let path = directory.file(".taffrail/000000000000f11e.ring")
        ring.write(to: path)
        let status = try #require(try QueueStatus.read(directory: directory.path).queues.first)
        #expect(status.sinks.map(\.name) == ["memory"] && status.run == ring.run)
        guard case .lines(let lines) = RingLines.read(path, .unknown, isRaw: false) else {
            Issue.record("it was not read")
            return
        }
        #expect(lines.count == ring.records.count)
        #expect(try RingCheckpoint.read(path, ring.run, 0) == 0)
        let sink = MemorySink()
        #expect(RecoveryRun(directory.file(".taffrail"), sinks: [sink]).isDone)
        #expect(sink.records == ring.records.map(\.record))
    }

    @Test func `the search of a ring full of headers of long records is abandoned`() {
        var ring = CraftedRing(capacity: 4 << 20)
        ring.append(LogRecord(level: .info, message: "intact"))
        for position in stride(from: ring.position, to: 3 << 20, by: 16) {
            ring.store(ring.commitWord(position, length: 900 << 10), at: position)
        }
        ring.write(to: path)
        #expect(recovered().map(\.message) == ["intact"])
        // Its contents may be useful: it is kept.
        #expect(Recovery.rings(in: directory.path).count == 1)
        #expect(recovered() == [])
    }

    @Test(arguments: FileOptions.Format.allCases)
    func `a record nested without end is written as far as the limit`(format: FileOptions.Format) throws {
        var ring = CraftedRing(capacity: 1 << 20, sinks: ["file:app.log"], encoder: format.rawValue)
        // The writer's own limit is 32: deeper ones come only from a forged ring.
        var deep = [UInt8]()
        for depth in stride(from: 20_000, to: 0, by: -1) {
            let length = UInt32(deep.count)
            deep =
                (depth % 2 == 0 ? [7, 0] : [8, 1]) + (depth % 2 == 0 ? [] : [0x6B])
                + withUnsafeBytes(of: length.littleEndian, Array.init) + deep
            if deep.count > 60_000 { break }
        }
        ring.append(forgedAttributes: deep)
        ring.write(to: path)
        var options = FileOptions(path: directory.file("app.log"), format: format)
        if format == .pattern { options.pattern = "%{message}%{attributes}" }
        let sink = try FileSink(options)
        let run = RecoveryRun(directory.path, sinks: [sink])
        #expect(run.isDone && run.recovery.recovered == 1)
        #expect(directory.lines("app.log").count == 1)
        #expect(directory.text("app.log").contains("forged"))
    }
}
