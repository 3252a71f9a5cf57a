#if Store
import Foundation
import Taffrail
import TaffrailStore
import TaffrailTestSupport
import Testing

/// What power loss leaves of a store of positions: all that was saved when `flush` returned, and of the rest whole transactions.
@Suite(.mayBlock) struct StoreDurabilityTests {
    @Test(.enabled(if: TracedCalls.compiler != nil, "no C compiler is installed"))
    func `flush synchronizes the write-ahead log and its directory, and a batch does not`() throws {
        let (folder, outside) = (TemporaryDirectory(), TemporaryDirectory())
        let subject = try Program.subject(
            [
                "steps-with", folder.file("app.log"), "location-store", "locate:100", "drain", "flush", "locate:100",
                "drain", "locate:100", "drain", "flush", "shutdown",
            ],
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
            ], errors: outside.file("errors"))
        let printed = subject.readToEnd().split(separator: "\n")
        #expect(subject.end() == .exited(0), "\(outside.text("errors"))")
        #expect(printed == ["drain true", "flush true", "drain true", "drain true", "flush true", "shutdown true"])
        let trace = TracedCalls(outside.text("trace"))
        let (store, log) = (folder.file("track.sqlite"), folder.file("track.sqlite-wal"))
        let unsynchronized = trace.unsynchronized(under: folder.path) { $0 == store || $0 == log }
        try #require(unsynchronized.count == 6)
        for batch in [0, 2, 3] { #expect(unsynchronized[batch].contains(Substring(log)), "\(unsynchronized)") }
        for flush in [1, 4, 5] { #expect(unsynchronized[flush] == [], "\(unsynchronized)") }
        // The database is whole when it gets its name, and the names of database and log are in the directory.
        var isDirty = false
        for call in trace.calls where call.path == store + "-new" {
            if call.name == "write" { isDirty = true }
            if call.name == "sync" { isDirty = false }
            #expect(call.name != "rename" || !isDirty)
        }
        #expect(trace.calls.contains { $0.name == "rename" && $0.path == store + "-new" })
        let first = try #require(trace.calls.firstIndex { $0.name == "write" && $0.path == log })
        let prints = trace.calls.indices.filter { trace.calls[$0].name == "print" }
        #expect(trace.calls[first..<prints[1]].contains { $0.name == "sync" && $0.path == folder.path })
    }

    private static let start: Int64 = 1_767_623_400_000_000_000

    private static func points(_ range: Range<Int>) -> [TrackPoint] {
        range.map { index in
            TrackPoint(
                timestamp: Timestamp(nanoseconds: start + Int64(index) * 1_000_000_000), lat: 55 + Double(index) * 1e-4,
                lon: 12, device: "ferry",
                session: "a")
        }
    }

    /// What the page cache may lose of the bytes that were written after a flush.
    enum Loss: CaseIterable {
        case all, none, half, tail, zeros, everySecondPage, firstPage

        func apply(to bytes: inout Data, after kept: Int) {
            let (page, rest) = (4_096, bytes.count - kept)
            func clear(_ range: Range<Int>) {
                bytes.replaceSubrange(range, with: Data(count: range.count))
            }
            switch self {
            case .all: bytes = bytes.prefix(kept)
            case .none: break
            case .half: bytes = bytes.prefix(kept + rest / 2)
            case .tail: bytes = bytes.prefix(bytes.count - 100)
            // The length of the file survives, and its contents do not.
            case .zeros: clear(kept..<bytes.count)
            case .everySecondPage:
                for start in stride(from: kept + page, to: bytes.count, by: 2 * page) {
                    clear(start..<min(start + page, bytes.count))
                }
            case .firstPage: clear(kept..<min(kept + page, bytes.count))
            }
        }
    }

    @Test(arguments: Loss.allCases)
    func `after power loss what was flushed is there, and of the rest whole batches`(_ loss: Loss) throws {
        let folder = TemporaryDirectory()
        let store = TrackStore.at(folder.file("track.sqlite"))
        try store.save(Self.points(0..<500))
        try store.flush()
        let kept = try Data(contentsOf: URL(filePath: folder.file("track.sqlite-wal"))).count
        for batch in 5..<15 { try store.save(Self.points(batch * 100..<(batch + 1) * 100)) }
        let database = try Data(contentsOf: URL(filePath: folder.file("track.sqlite")))
        var log = try Data(contentsOf: URL(filePath: folder.file("track.sqlite-wal")))
        // The log has not begun anew, nor was it written into the database meanwhile.
        try #require(kept > 10_000 && log.count > kept + 20_000)
        loss.apply(to: &log, after: kept)
        let after = TemporaryDirectory()
        try after.write(Array(database), to: "track.sqlite")
        try after.write(Array(log), to: "track.sqlite-wal")
        let found = TrackStore.at(after.file("track.sqlite"))
        try found.open()
        var query = TrackQuery()
        query.limit = 10_000
        let points = try StoreReader(found.path).points(query)
        #expect(points.count >= 500 && points.count % 100 == 0 && points.count <= 1_500)
        #expect(points.map(\.timestamp) == Self.points(0..<points.count).map(\.timestamp))
        switch loss {
        case .all, .zeros, .firstPage: #expect(points.count == 500)
        case .none: #expect(points.count == 1_500)
        default: #expect(points.count < 1_500)
        }
        // It saves again, and nothing else was made of it.
        try found.save(Self.points(500..<1_500))
        try found.close()
        let check = try Program.run(
            [found.path, "PRAGMA integrity_check; SELECT count(*) FROM point; SELECT sum(points) FROM block"],
            of: "sqlite3")
        #expect(check.output == "ok\n1500\n1500\n", "\(check)")
        #expect(after.names.allSatisfy { !$0.contains("corrupt") })
        try store.close()
    }
}
#endif
