internal import Synchronization
internal import Taffrail

/// Failures that a test has a recorder's files report: ``RecordingOptions/faults``.
///
/// Any thread.
public final class RecordingFaults: Sendable, Hashable {
    private let code = Atomic<Int32>(0)

    /// Makes an object that reports no failure.
    package init() {}

    /// Has everything that makes or writes files fail with an error number from now on; 0: no more.
    package func fail(with code: Int32) { self.code.store(code, ordering: .releasing) }

    /// Reports the failure, if one is set.
    func check(_ operation: String) throws(SystemError) {
        let code = code.load(ordering: .acquiring)
        guard code == 0 else { throw SystemError(operation, code: code) }
    }

    /// Whether both are the same object.
    public static func == (lhs: RecordingFaults, rhs: RecordingFaults) -> Bool { lhs === rhs }

    /// Adds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
