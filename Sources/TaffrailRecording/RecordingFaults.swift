internal import Synchronization
internal import Taffrail

/// Simulated file errors for tests of a recorder: ``RecordingOptions/faults``.
///
/// Any thread may call.
public final class RecordingFaults: Sendable, Hashable {
    private let code = Atomic<Int32>(0)

    /// Creates an object without a simulated error.
    package init() {}

    /// Makes the creation and writing of all files fail with an error number; 0 ends the failure.
    package func fail(with code: Int32) { self.code.store(code, ordering: .releasing) }

    /// Throws the simulated error, if one is set.
    func check(_ operation: String) throws(SystemError) {
        let code = code.load(ordering: .acquiring)
        guard code == 0 else { throw SystemError(operation, code: code) }
    }

    /// Returns whether both are the same object.
    public static func == (lhs: RecordingFaults, rhs: RecordingFaults) -> Bool { lhs === rhs }

    /// Adds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
