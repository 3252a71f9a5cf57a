import Dispatch
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// The programs that the tests rely on.
@Suite(.mayBlock) struct ProgramTests {
    @Test func `a program that a test starts inherits none of its descriptors`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let listed = try Program.run(["/proc/self/fd"], of: "ls").output.split(separator: "\n")
        // ls has the directory open.
        #expect(listed == ["0", "1", "2", "3"])
    }

    @Test func `tests that block do not delay other tasks`() async {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let released = Semaphore()
        // Released by a task of the pool, which would never run if the others had taken all its threads.
        Task.detached { for _ in 0..<count { released.signal() } }
        let areReleased = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { released.wait(seconds: 60) } }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(areReleased)
    }
}

private struct Semaphore {
    private let semaphore = DispatchSemaphore(value: 0)
    func signal() { semaphore.signal() }
    func wait(seconds: Int) -> Bool { semaphore.wait(timeout: .now() + .seconds(seconds)) == .success }
}
