import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The entries of runs in the ledger.
@Suite(.mayBlock) struct LedgerTests {
    private let directory = TemporaryDirectory()

    /// Drops records whose message requests it.
    private struct Dropper: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict { record.message.hasPrefix("drop") ? .drop : .keep }
    }

    private func pipeline(
        _ others: sending [any Sink] = [], processors: sending [any Processor] = [], capacity: Int = 64 << 10,
        whenFull: QueueOptions.WhenFull = .block
    ) throws -> Pipeline {
        let file = try FileSink(FileOptions(path: directory.file("app.log")))
        return Pipeline(
            processors: processors, sinks: [file] + others,
            queue: QueueOptions(
                capacity: capacity, whenFull: whenFull, blockLimit: .seconds(60), handleSignals: false),
            level: .trace)
    }

    private var ledger: LedgerContents { get throws { try Ledger.read(directory: directory.path) } }

    @Test func `a run that loses nothing leaves how many records it had`() throws {
        let pipeline = try pipeline()
        for n in 0..<10 { pipeline.logger.info("\(n)") }
        #expect(pipeline.flush())
        #expect(try ledger.endings == [])
        #expect(pipeline.shutdown())
        let ledger = try ledger
        #expect(ledger.drops == [] && ledger.unreadable == 0)
        #expect(ledger.endings.map(\.records) == [10])
        #expect(ledger.endings.map(\.destination) == ["app.log"])
        #expect(directory.rings == [])
    }

    @Test func `records that processors drop are recorded with numbers and levels, while the run continues`()
        async throws
    {
        let pipeline = try pipeline(processors: [Dropper()])
        pipeline.logger.info("stays")
        for _ in 0..<3 { pipeline.logger.debug("drop") }
        pipeline.logger.error("drop")
        pipeline.logger.info("stays")
        #expect(pipeline.flush())
        #expect(await eventually { (try? ledger.drops.isEmpty) == false })
        pipeline.logger.notice("drop")
        #expect(pipeline.shutdown())
        let drops = try ledger.drops
        #expect(
            drops.allSatisfy { $0.reason == .processor && $0.sink == "" && $0.run == (try? ledger)?.endings[0].run })
        #expect(drops.reduce(0) { $0 + $1.count } == 5)
        #expect(drops.first?.sequences?.lowerBound == 2 && drops.last?.sequences?.upperBound == 7)
        #expect(
            drops.reduce(into: [:]) { $0.merge($1.levels, uniquingKeysWith: +) } == [.debug: 3, .error: 1, .notice: 1])
        #expect(try ledger.endings.map(\.records) == [7])
    }

    @Test func `records a sink refuses, or that are freed without it, are recorded for that sink`() async throws {
        let captured = CapturedDiagnostics()
        let picky = FailingSink(name: "picky", refusing: { $0.message == "7" })
        let away = FailingSink(name: "away-\(UInt64.random(in: 0 ... .max))")
        let pipeline = try pipeline([picky, away])
        pipeline.logger.info("first")
        #expect(pipeline.flush())
        away.fail()
        for n in 0..<3000 { pipeline.logger.log(level: n == 7 ? .error : .info, "\(n)") }
        // A record that a sink refuses is lost.
        #expect(!pipeline.flush())
        #expect(await eventually { captured.lines(with: away.name).contains { $0.contains("is detached") } })
        #expect(pipeline.shutdown())
        let drops = try ledger.drops
        let refused = drops.filter { $0.reason == .refused }
        #expect(refused.map(\.sink) == ["picky"] && refused.map(\.count) == [1])
        #expect(refused.map(\.sequences) == [9...9] && refused.map(\.levels) == [[.error: 1]])
        let behind = drops.filter { $0.reason == .sinkLagging }
        #expect(behind.allSatisfy { $0.sink == away.name })
        #expect(behind.reduce(0) { $0 + $1.count } == 3000)
        #expect(behind.first?.sequences?.lowerBound == 2 && behind.last?.sequences?.upperBound == 3001)
        #expect(behind.reduce(0) { $0 + ($1.levels[.error] ?? 0) } == 1)
        #expect(drops.count == refused.count + behind.count)
    }

    @Test func `records that did not get into the queue are recorded by level and reason`() throws {
        let gated = GatedSink()
        let pipeline = try pipeline([gated], whenFull: .dropNewest)
        pipeline.logger.info("waits")
        gated.waitForWriter()
        var dropped = 0
        for _ in 0..<2000 { pipeline.logger.warning("\(String(repeating: "x", count: 100))") }
        dropped = Int(pipeline.queue.control.header?.dropped(.warning) ?? 0)
        #expect(dropped > 0)
        gated.open()
        #expect(pipeline.shutdown())
        let drops = try ledger.drops
        #expect(Set(drops.map(\.reason)) == [.shed] && drops.allSatisfy { $0.sequences == nil && $0.sink == "" })
        #expect(drops.reduce(0) { $0 + ($1.levels[.warning] ?? 0) } == UInt64(dropped))
        let header = pipeline.queue.control.header
        pipeline.logger.info("too late")
        #expect(header?.dropped(.info, for: .closed) == 1)
    }

    @Test func `each log directory has its own ledger`() throws {
        let other = TemporaryDirectory()
        let pipeline = try pipeline([FileSink(FileOptions(path: other.file("audit.log")))], processors: [Dropper()])
        pipeline.logger.info("drop")
        #expect(pipeline.shutdown())
        for path in [directory.path, other.path] {
            let ledger = try Ledger.read(directory: path)
            #expect(ledger.drops.map(\.sequences) == [1...1])
            #expect(ledger.endings.map(\.records) == [1])
        }
    }

    @Test func `what a filter withholds is added up while the ledger cannot be written`() throws {
        var ring = CraftedRing()
        mkdir(directory.file("ledger"), 0o700)
        ring.withHeader { header in
            var book = LedgerBook(LedgerFile(directory: directory.path), of: header)
            for count in [1, 2] as [UInt64] {
                book.note(DropTally(count, level: .info), .filtered, sink: "errors")
                book.writeAll()
            }
            rmdir(directory.file("ledger"))
            book.writeAll()
        }
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.count) == [3])
    }

    // MARK: Killed runs

    private func recover(_ ring: CraftedRing, _ sinks: [any Sink]) throws -> LedgerContents {
        ring.write(to: directory.file("\(ring.run).ring"))
        let run = RecoveryRun(directory.path, sinks: sinks, processors: [Dropper()], ledger: true)
        #expect(run.isDone)
        return LedgerContents(try LedgerFile(directory: directory.path).entries())
    }

    @Test func `the counts of a killed run's ring that the ledger lacks are recorded`() throws {
        var ring = CraftedRing(sinks: ["memory", "journald"])
        for n in 1...9 { ring.append(LogRecord(level: .info, message: n == 4 ? "drop" : "\(n)")) }
        let behind = ring.records[6].position
        ring.withHeader { header in
            header.nextSequence = 10
            header.countDrop(.debug, for: .degraded, 6)
            header.countLost(5, inSlot: 0)
            header.setPosition(ofSlot: 1, behind)
        }
        try LedgerFile(directory: directory.path).append([
            .drop(
                Ledger.Drop(
                    run: ring.run, time: .now, reason: .degraded, sink: "", sequences: nil, count: 2,
                    levels: [.debug: 2])),
            .drop(
                Ledger.Drop(
                    run: ring.run, time: .now, reason: .refused, sink: "memory", sequences: 1...1, count: 1, levels: [:]
                )),
        ])
        let captured = CapturedDiagnostics()
        let ledger = try recover(ring, [MemorySink()])
        let drops = ledger.drops.dropFirst(2).map { drop in
            "\(drop.reason) \(drop.sink) \(drop.count) "
                + (drop.sequences.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "without numbers")
        }
        #expect(
            Set(drops) == [
                "degraded  4 without numbers", "sinkLagging memory 4 without numbers", "processor  1 4 to 4",
                "sinkRemoved journald 3 7 to 9",
            ])
        #expect(ledger.endings.map(\.records) == [9])
        #expect(Recovery.rings(in: directory.path) == [])
        #expect(
            captured.lines(with: "\(ring.run)").contains(
                "run \(ring.run): sink journald was removed and missed 3 records"))
    }

    @Test func `only what the options of a killed run dropped is recorded as configured`() throws {
        for (whenFull, wanted) in [
            (nil, ["full 5"]), (.block, ["full 5"]), (.dropBelow(.info), ["full 2", "shed 3"]),
            (.dropNewest, ["shed 5"]),
        ] as [(QueueOptions.WhenFull?, [String])] {
            var ring = CraftedRing()
            ring.withHeader { header in
                // The rings of older programs do not have it.
                if let whenFull { header.setDrops(whenFull) }
                header.countDrop(.debug, for: .full, 3)
                header.countDrop(.info, for: .full, 2)
                header.countDrop(.error, for: .degraded)
            }
            let drops = try recover(ring, [MemorySink()]).drops
            let counts = Dictionary(grouping: drops) { "\($0.reason)" }.mapValues { $0.reduce(0) { $0 + $1.count } }
            #expect(counts.map { "\($0) \($1)" }.sorted() == ["degraded 1"] + wanted, "\(String(describing: whenFull))")
            unlink(directory.file("ledger"))
        }
    }

    @Test func `records refused during a recovery are counted and recorded, even by an interrupted one`() throws {
        var ring = CraftedRing(sinks: ["picky", "slow"])
        for n in 1...9 { ring.append(LogRecord(level: n == 4 ? .error : .info, message: "\(n)")) }
        let slow = FailingSink(name: "slow")
        slow.fail()
        let picky = FailingSink(name: "picky", refusing: { ["4", "7"].contains($0.message) })
        ring.write(to: directory.file("\(ring.run).ring"))
        #expect(!RecoveryRun(directory.path, sinks: [picky, slow], ledger: true).isDone)
        slow.restore()
        #expect(RecoveryRun(directory.path, sinks: [picky, slow], ledger: true).isDone)
        #expect(picky.messages == ["1", "2", "3", "5", "6", "8", "9"] && slow.messages.count == 9)
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.allSatisfy { $0.reason == .refused && $0.sink == "picky" })
        #expect(drops.reduce(0) { $0 + $1.count } == 2)
        #expect(drops.first?.sequences?.lowerBound == 4 && drops.last?.sequences?.upperBound == 7)
        #expect(drops.reduce(0) { $0 + ($1.levels[.error] ?? 0) } == 1)
    }

    @Test func `records that processors dropped before the kill are not counted again`() throws {
        var ring = CraftedRing()
        for n in 1...6 { ring.append(LogRecord(level: .info, message: n < 5 ? "drop" : "\(n)")) }
        let judged = ring.records[2].position
        ring.withHeader { header in
            header.nextSequence = 7
            header.countFiltered(2, upTo: judged)
        }
        let drops = try recover(ring, [MemorySink()]).drops
        #expect(drops.reduce(0) { $0 + $1.count } == 4)
        #expect(drops.allSatisfy { $0.reason == .processor })
    }

    @Test func `a ledger that cannot be written keeps the ring, and the next run makes up for it`() throws {
        var ring = CraftedRing()
        ring.append(LogRecord(level: .info, message: "one"))
        ring.write(to: directory.file("\(ring.run).ring"))
        mkdir(directory.file("ledger"), 0o700)
        let sink = MemorySink()
        for _ in 0..<2 {
            let run = RecoveryRun(directory.path, sinks: [sink], ledger: true)
            #expect(run.recovery.left.count == 1 && Recovery.rings(in: directory.path).count == 1)
        }
        #expect(sink.messages == ["one"])
        rmdir(directory.file("ledger"))
        let run = RecoveryRun(directory.path, sinks: [sink], ledger: true)
        #expect(run.isDone && sink.messages == ["one"])
        #expect(LedgerContents(try LedgerFile(directory: directory.path).entries()).endings.map(\.records) == [1])
        #expect(Recovery.rings(in: directory.path) == [])
    }
}
