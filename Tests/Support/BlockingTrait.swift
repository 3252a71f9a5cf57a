internal import Foundation
package import Testing

/// Runs the tests of a suite on threads that may block, a few tests at a time.
///
/// The tasks of a process share one thread per processor. A test that blocks one of these (it waits for a program,
/// reads a pipe, flushes a pipeline) delays every other test, for minutes if many tests block while their programs wait
/// for them. On these threads it delays no other test; and since few tests run at a time, they make progress.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Whether the tests keep several processors busy, so that only a few such tests run at a time.
    let isHeavy: Bool
    /// Whether the tests start before others: they take minutes one by one, and would otherwise delay the end of the
    /// run.
    let isLong: Bool

    private static let tests = Gate(5 * ProcessInfo.processInfo.activeProcessorCount)
    private static let heavyTests = Gate(mostHeavy)

    /// How many heavy tests run at a time: the number of processors, up to 4, because each test also uses the disk.
    package static let mostHeavy = min(ProcessInfo.processInfo.activeProcessorCount, 4)

    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if isHeavy { await Self.heavyTests.enter() }
        defer { if isHeavy { Self.heavyTests.leave() } }
        await Self.tests.enter(hasPriority: isLong)
        defer { Self.tests.leave() }
        try await withTaskExecutorPreference(GrowingExecutor.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// For tests that block.
    package static var mayBlock: Self { BlockingTrait(isHeavy: false, isLong: false) }

    /// For tests that block, mostly wait, and take minutes one by one.
    package static var mayBlockForMinutes: Self { BlockingTrait(isHeavy: false, isLong: true) }

    /// For tests that block and keep the machine busy: at most ``BlockingTrait/mostHeavy`` of these run at a time.
    package static var heavy: Self { BlockingTrait(isHeavy: true, isLong: true) }
}
