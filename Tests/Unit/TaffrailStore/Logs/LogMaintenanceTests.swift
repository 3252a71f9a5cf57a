#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// The command `maintain` of a store of records.
@Suite(.mayBlock) struct LogMaintenanceTests {
    private func retention() throws -> LogRetention {
        var keep = LogRetention()
        keep.age = .seconds(90.5)
        keep.size = .mebibytes(3)
        keep.streams = [
            LogRetention.Stream(try LogSelection(parsing: "level<=debug \"disk full\""), age: .days(2)),
            LogRetention.Stream(try LogSelection(parsing: "!logger:net path=\"a b\",c"), age: .seconds(5)),
        ]
        return keep
    }

    @Test func `the arguments of the command are read as they were`() throws {
        let keep = try retention()
        #expect(try LogRetention(ControlCommand("maintain", keep.arguments)) == keep)
        #expect(try LogRetention(ControlCommand("maintain")).keepsAll)
        #expect(LogRetention().arguments.isEmpty)
    }

    @Test func `the process that writes carries it out`() throws {
        let folder = TemporaryDirectory()
        let now = Timestamp.now.nanoseconds / 1_000_000_000
        let old = (RecordPool.start / 1_000_000_000).distance(to: now)
        try folder.logs.save(LogLines.records(0..<100, level: .debug) + LogLines.records(100..<200))
        var keep = LogRetention()
        keep.streams = [LogRetention.Stream(try LogSelection(parsing: "level<=debug"), age: .hours(1))]
        #expect(try folder.logs.execute(ControlCommand("maintain", keep.arguments))["purged"] == 100)
        #expect(try folder.logs.execute(ControlCommand("maintain"))["purged"] == 0)
        keep = LogRetention()
        // About: the clock goes on.
        keep.age = .seconds(old - 150)
        let purged = try folder.logs.execute(ControlCommand("maintain", keep.arguments))["purged"]
        let left = try folder.messages().count
        #expect(purged == .int(Int64(100 - left)) && left > 0 && left < 100)
        #expect(throws: OptionError.self) { try folder.logs.execute(ControlCommand("tidy")) }
        try folder.logs.close()
        try folder.expectSound()
    }

    private static let wrong: [[LogValueEntry]] = [
        [LogValueEntry("age", "30d")], [LogValueEntry("age", -1)], [LogValueEntry("size", .double(-1))],
        [LogValueEntry("rows", 5)], [LogValueEntry("streams", "level<=debug")],
        [LogValueEntry("streams", .array(["level<=debug"]))],
        [LogValueEntry("streams", .array([.map([LogValueEntry("query", "level<=debug")])]))],
        [LogValueEntry("streams", .array([.map([LogValueEntry("query", "level<=loud"), LogValueEntry("age", 5)])]))],
        [LogValueEntry("streams", .array([.map([LogValueEntry("query", ""), LogValueEntry("age", 5)])]))],
        [LogValueEntry("streams", .array([.map([LogValueEntry("query", "since:-1h"), LogValueEntry("age", 5)])]))],
    ]

    @Test(arguments: wrong)
    func `wrong arguments are refused, and nothing is deleted`(_ arguments: [LogValueEntry]) throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<10))
        #expect(throws: OptionError.self) { try folder.logs.execute(ControlCommand("maintain", arguments)) }
        #expect(try folder.messages().count == 10)
        try folder.logs.close()
    }

    @Test func `what a deletion that was interrupted has left is given back by the next one`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<8_000))
        var keep = LogRetention()
        keep.age = .seconds(1)
        var calls = 0
        // Cancelled once all records are deleted, before their space is given back.
        let deleted = try folder.logs.maintain(keep) {
            calls += 1
            return calls > 4
        }
        #expect(deleted == 8_000)
        #expect(try folder.sql("PRAGMA freelist_count") != "0\n")
        #expect(try folder.logs.maintain(keep) == 0)
        #expect(try folder.sql("PRAGMA freelist_count") == "0\n")
        try folder.logs.close()
        try folder.expectSound()
    }
}
#endif
