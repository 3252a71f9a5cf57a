#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// Programs that are killed while they divide positions into visits and trips.
@Suite(.heavy) struct AnalysisKillTests {
    private static let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    /// A store of many days of a walker, with nothing found in it.
    private struct Days {
        let folder = TemporaryDirectory()
        /// How many fixes there are.
        let fixes: Int
        var store: String { folder.file("track.sqlite") }

        init(_ count: Int64) throws {
            let day = GeneratedDay(interval: 10)
            fixes = day.fixes.count * Int(count)
            var text = "time,latitude,longitude,eph\n"
            for number in 0..<count {
                for fix in day.fixes {
                    let time = Timestamp(nanoseconds: fix.timestamp.nanoseconds + number * 86_400_000_000_000)
                    text +=
                        "\(time),\(fix.coordinate.latitude),\(fix.coordinate.longitude),\(fix.horizontalAccuracy ?? 5)\n"
                }
            }
            try folder.write(text, to: "days.csv")
            _ = try history("import", folder.file("days.csv"), "--device", "walker")
        }

        func history(_ arguments: String...) throws -> String {
            let result = try Program.run(["history"] + arguments + ["--store", store], environment: ["TZ": "UTC"])
            #expect(result.code == 0, "\(arguments): \(result.errors)")
            return result.output
        }

        func sql(_ text: String, isReadOnly: Bool = true) throws -> String {
            let result = try Program.run((isReadOnly ? ["-readonly"] : []) + [store, text], of: "sqlite3")
            guard result.code == 0 else { throw SystemError("read \(store): \(result.errors)", code: EIO) }
            return result.output
        }

        /// Forgets what has been found.
        func forget() throws {
            _ = try sql(
                "DELETE FROM analysis; DELETE FROM visit; DELETE FROM trip; DELETE FROM overview; UPDATE point SET flags = 0",
                isReadOnly: false)
        }

        /// How much has been found.
        func progress() throws -> String { try sql("SELECT max(time) FROM analysis; SELECT count(*) FROM overview") }

        /// Everything that has been found.
        func findings() throws -> [String] {
            [
                try history("visits", "--format", "json"), try history("trips", "--format", "json"),
                try sql("SELECT time, flags FROM point WHERE flags <> 0 ORDER BY time"),
                try sql("SELECT hour, hex(line) FROM overview JOIN block ON id = block ORDER BY hour"),
            ]
        }
    }

    @Test func `a kill in the middle of an analysis leaves a store in which the next one finds the same`() async throws
    {
        let days = try await blocking { try Days(Self.isLong ? 60 : 6) }
        let expected = try await blocking { try days.findings() }
        #expect(expected.allSatisfy { $0.split(separator: "\n").count >= 20 })
        try await blocking { try days.forget() }
        var (killed, attempts) = (0, 0)
        while killed < (Self.isLong ? 100 : 8), attempts < 200 {
            attempts += 1
            let before = try await blocking { try days.progress() }
            let program = try Program(["history", "maintain", "--store", days.store], in: days.folder)
            // Where the last kill came after the last step, there is nothing left to do.
            #expect(await eventually { (try? days.progress()) != before || !program.isRunning })
            if program.isRunning { program.send(SIGKILL) }
            let isKilled = await program.wait() == 128 + SIGKILL
            #expect(try await blocking { try days.sql("PRAGMA integrity_check") } == "ok\n")
            guard isKilled else {
                guard killed == 0 else { break }
                // A busy machine ran all of it before this test saw the first step.
                try await blocking { try days.forget() }
                continue
            }
            killed += 1
            // Readers find what is not stored yet, too.
            if killed % 4 == 1 {
                #expect(try await blocking { try days.history("trips", "--format", "json") } == expected[1])
            }
        }
        #expect(killed > 0)
        _ = try await blocking { try days.history("maintain") }
        #expect(try await blocking { try days.findings() } == expected)
        #expect(try await blocking { try days.sql("SELECT count(*) FROM point") } == "\(days.fixes)\n")
    }
}
#endif
