#if Command && Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// Programs that record 500 events a second and are killed.
@Suite(.heavy) struct RecorderKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 20 : 100

    @Test func `SIGKILL while recording leaves complete files, and recovery loses and duplicates nothing`() async throws
    {
        let folder = TemporaryDirectory()
        let drives = folder.file("drives")
        try folder.write(
            "plugins:\n  geo-recorder: { directory: \(drives), include: [logs] }\n", to: "taffrail.yaml")
        let arguments = ["log", "info", "--stdin", "--tee", "--config", folder.file("taffrail.yaml")]
        var generator = SystemRandomNumberGenerator()
        var number = 0
        for round in 0..<Self.rounds {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let program = try Program(arguments, in: folder, output: "acknowledged", input: ends[0])
            close(ends[0])
            // An acknowledged line is in the queue, which survives. The pace, 2 ms a line, is that of a program that logs while
            // it is recorded: the kill comes between writes, not after all of them.
            let lines = Int.random(in: 5...60, using: &generator)
            for _ in 0..<lines {
                let line = Array("event \(number).\n".utf8)
                number += 1
                #expect(write(ends[1], line, line.count) == line.count)
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(
                await eventually { folder.text("acknowledged").contains("event \(number - lines).\n") },
                "round \(round)")
            program.send(SIGKILL)
            #expect(await program.wait() == 128 + SIGKILL)
            close(ends[1])
            // Each file is as the kill left it.
            _ = try folder.events("drives")
        }
        // The next run recovers the rest of the queues.
        let last = try await Program.run(
            ["log", "info", "the last", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(last.code == 0)
        let acknowledged = Set(folder.text("acknowledged").split(separator: "\n").filter { $0.hasSuffix(".") })
        let messages = try folder.events("drives").compactMap { event -> String? in
            if case .log(let record) = event { record.message } else { nil }
        }
        let recorded = messages.filter { $0.hasPrefix("event ") }
        #expect(acknowledged.count > 5 * Self.rounds)
        #expect(acknowledged.subtracting(recorded.map { $0[...] }).isEmpty)
        #expect(Set(recorded).count == recorded.count)
        #expect(messages.last == "the last")
    }
}
#endif
