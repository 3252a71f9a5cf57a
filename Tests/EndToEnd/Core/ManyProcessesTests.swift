import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Several processes on one file that is rotated every 64 KiB.
@Suite(.heavy) struct ManyProcessesTests {
    /// 5,000 lines a process; 100,000 in the long form.
    static let lines = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 5000 : 100_000

    @Test func `four processes write every line whole, once and in order, and rotate together`() throws {
        let directory = TemporaryDirectory()
        let subjects = try (0..<4).map {
            try Program.subject(["count-small", directory.file("app.log"), "\(Self.lines)", "\($0)"])
        }
        for subject in subjects { #expect(subject.end() == .exited(0)) }
        let messages = directory.messages
        #expect(messages.count == 4 * Self.lines)
        for process in 0..<4 {
            let own = messages.filter { $0.hasPrefix("from \(process) ") }
            let isInOrder = own == (0..<Self.lines).map { "from \(process) n \($0)" }
            #expect(isInOrder)
        }
        let rotated = directory.logs.filter { $0 != "app.log" }
        #expect(rotated.count > 10)
        #expect(rotated.allSatisfy { directory.size($0) <= 64 << 10 && directory.size($0) > 63 << 10 })
    }
}
