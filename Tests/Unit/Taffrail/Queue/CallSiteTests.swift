import Foundation
import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The names of files and functions, which a ring has once for all records that come from them.
@Suite(.mayBlock) struct CallSiteTests {
    private static let capacity = 4 << 20
    private let sites = CallSites(QueueControl(), tableLength: CallSiteTable.length(beside: Self.capacity))

    /// A site like that of a call, whose names are never freed.
    private func site(_ file: String, _ function: String, line: UInt32 = 1) -> CallSite {
        func constant(_ text: String) -> UnsafePointer<UInt8> {
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count)
            bytes.initialize(from: Array(text.utf8), count: text.utf8.count)
            return UnsafePointer(bytes)
        }
        let lengths = UInt64(file.utf8.count) | UInt64(function.utf8.count) << 16
        return unsafeBitCast(
            (constant(file), constant(function), lengths | UInt64(line) << 32), to: CallSite.self)
    }

    /// The names that a ring has under a number.
    private func names(_ number: UInt16, in ring: Ring) -> [String]? {
        ring.tables.sites.names(numbered: Int(number)).map {
            [String(decoding: $0.file, as: UTF8.self), String(decoding: $0.function, as: UTF8.self)]
        }
    }

    private func ring() throws -> Ring {
        let ring = try Ring.inMemory(capacity: Self.capacity, start: 0)
        sites.copy(to: ring.header)
        return ring
    }

    @Test func `a site keeps its number, whatever line it logs from, and every new ring has its names`() throws {
        let one = site("A/B.swift", "f()")
        let other = site("A/B.swift", "g(_:)")
        let number = sites.number(of: one)
        #expect(number > 0 && sites.number(of: one) == number)
        #expect(sites.number(of: other) != number)
        for _ in 0..<2 {
            let ring = try ring()
            #expect(names(number, in: ring) == ["A/B.swift", "f()"])
            #expect(names(sites.number(of: other), in: ring) == ["A/B.swift", "g(_:)"])
            #expect(names(0, in: ring) == nil && names(8191, in: ring) == nil && names(.max, in: ring) == nil)
        }
    }

    @Test func `with more sites than fit into the table, those with a number have their names, the others none`() throws
    {
        let all = (0..<2_000).map { site("Module/File\($0).swift", "function\($0)()") }
        let numbers = all.map { sites.number(of: $0) }
        #expect(numbers == all.map { sites.number(of: $0) })
        let ring = try ring()
        let numbered = numbers.indices.filter { numbers[$0] > 0 }
        #expect(numbered.count > 200 && numbered.count < 1_000)
        #expect(Set(numbered.map { numbers[$0] }).count == numbered.count)
        #expect(
            numbered.allSatisfy {
                names(numbers[$0], in: ring) == ["Module/File\($0).swift", "function\($0)()"]
            })
        // Names alone can fill it, too.
        let long = site(String(repeating: "f", count: 60_000), "f()")
        #expect(sites.number(of: long) == 0)
    }

    @Test func `threads that log first at the same time agree on the numbers`() {
        nonisolated(unsafe) let all = (0..<200).map { site("Module/File.swift", "function\($0)()") }
        let threads = (0..<4).map { _ in OwnThread { for site in all { _ = sites.number(of: site) } } }
        for thread in threads { thread.join() }
        let numbers = all.map { sites.number(of: $0) }.filter { $0 > 0 }
        #expect(numbers.count > 100 && Set(numbers).count == numbers.count)
    }

    @Test func `records have their source location with a number and without, and in the next ring of a pipeline`() {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let wanted = LogRecord.SourceLocation(file: #fileID, function: #function, line: #line + 1)
        pipeline.logger.info("with a number")
        #expect(pipeline.flush())
        #expect(sink.records.last?.source == wanted)
        #expect(pipeline.end(timeout: .seconds(30), closesSinks: false))
        pipeline.logger.info("in the next ring")
        for length in [900, 40, 1] {
            while pipeline.sites.number(of: site("F", String(repeating: "f", count: length))) > 0 {}
        }
        #expect(logWithoutNumber(pipeline) == 0)
        pipeline.logger.info("\(String(repeating: "cut ", count: 1 << 20))")
        #expect(pipeline.flush())
        let places = sink.records.suffix(3).map { "\($0.source?.file ?? "") \($0.source?.function ?? "")" }
        #expect(
            places == [
                "\(wanted.file) \(wanted.function)", "\(wanted.file) logWithoutNumber(_:)",
                "\(wanted.file) \(wanted.function)",
            ])
        #expect(sink.records.last?["taffrail.truncated"] != nil)
        pipeline.shutdown()
    }

    /// Logs, and returns the number of the site.
    private func logWithoutNumber(_ pipeline: Pipeline) -> UInt16 {
        pipeline.logger.info("without a number")
        return pipeline.sites.number(of: CallSite(#fileID, #function, #line))
    }

    @Test func `records in a killed program's ring have their source locations`() throws {
        var waiting = 0
        for round in 0..<20 where waiting == 0 {
            let directory = TemporaryDirectory()
            let page = try AcknowledgedPage(in: directory, round: "k\(round)")
            let subject = try Program.subject(["flood", directory.path + "/app.log", page.path, "k\(round)"])
            try #require(subject.readLine() == "ready")
            try page.waitForFirst()
            subject.send(SIGKILL)
            #expect(subject.end() == .killed(SIGKILL))
            for name in Recovery.rings(in: directory.file(".taffrail")) {
                guard
                    case .lines(let lines) = RingLines.read(directory.file(".taffrail/" + name), .unknown, isRaw: false)
                else {
                    continue
                }
                lines.forEach { line, _ in
                    let text = String(decoding: line, as: UTF8.self)
                    #expect(text.contains("\"file\":\"TaffrailTestSubject/Flood.swift\""))
                    waiting += 1
                }
            }
        }
        #expect(waiting > 0)
    }

    @Test func `a damaged entry has no names, nor have those after it`() {
        var file = CraftedRing()
        let places = (0..<3).map { LogRecord.SourceLocation(file: "A/B.swift", function: "f\($0)()", line: 3) }
        for place in places { file.append(LogRecord(level: .info, message: "", source: place), isAtSite: true) }
        let directory = TemporaryDirectory()
        let path = directory.file("000000000000f11e.ring")
        func recovered() -> [LogRecord.SourceLocation?] {
            file.write(to: path)
            let sink = MemorySink()
            _ = RecoveryRun(directory.path, sinks: [sink])
            return sink.records.map(\.source)
        }
        #expect(recovered() == places)
        // Within the function's name of the second entry.
        let second = RingHeader.siteOffset() + CallSiteTable.unit + CallSiteTable.size(fileLength: 9, functionLength: 4)
        file.bytes[second + 8 + 9] ^= 1
        let captured = CapturedDiagnostics()
        #expect(recovered() == [places[0], nil, nil])
        #expect(
            captured.lines(with: path) == [
                "\(path): 2 records have lost their source locations"
            ])
    }
}
