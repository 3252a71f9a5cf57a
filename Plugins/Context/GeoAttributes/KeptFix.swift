internal import Taffrail
internal import TaffrailGeo

/// The last fix, kept in a file for the next run of the program. May be used on any thread.
final class KeptFix: Sendable {
    private let file: FixFile
    private let now: @Sendable () -> Int64
    private let hasReportedFailure = Locked(false)

    /// - Parameter now: The wall clock in ns since 1970, because the age spans several runs.
    init(_ file: FixFile, now: @escaping @Sendable () -> Int64) {
        self.file = file
        self.now = now
    }

    /// Returns the fix and its age; `nil` if there is none, or if its time is in the future because the clock was set.
    func load() -> (location: Location, age: Duration)? {
        guard let (location, saved) = file.load() else { return nil }
        // A damaged file may contain a time in another century.
        let (nanoseconds, isTooFar) = now().subtractingReportingOverflow(saved.nanoseconds)
        let age = Duration.nanoseconds(nanoseconds)
        return !isTooFar && age > .seconds(-1) ? (location, age) : nil
    }

    /// Replaces the fix by another one, given by the attributes of records.
    func save(_ attributes: [LogValueEntry], age: Duration) {
        let saved = Timestamp(nanoseconds: now() &- age.nanoseconds)
        report { () throws(SystemError) in try file.store(attributes, saved: saved) }
    }

    func remove() { report { () throws(SystemError) in try file.remove() } }

    /// Reports the first of consecutive failures.
    private func report(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
            hasReportedFailure.withLock { $0 = false }
        } catch {
            let isFirst = hasReportedFailure.withLock { hasReported in
                defer { hasReported = true }
                return !hasReported
            }
            if isFirst { Diagnostics.report("geo-attributes: cannot keep the last position: \(error)") }
        }
    }
}
