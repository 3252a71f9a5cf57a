internal import Taffrail

/// Captures Taffrail's diagnostics while it exists, instead of stderr.
///
/// Several may exist at once, as in concurrent tests: each gets every line, so look for those that name a sink or a
/// file of the test.
public final class CapturedDiagnostics: Sendable {
    private static let all = Locked<[Entry]>([])
    private let own = Locked<[String]>([])

    private struct Entry {
        weak let captured: CapturedDiagnostics?
    }

    /// Starts capturing.
    public init() {
        Self.all.withLock { all in
            if all.isEmpty {
                Diagnostics.redirect { line in CapturedDiagnostics.receive(line) }
            }
            all.append(Entry(captured: self))
        }
    }

    deinit {
        Self.all.withLock { all in
            all.removeAll { $0.captured == nil }
            if all.isEmpty { Diagnostics.redirect(to: nil) }
        }
    }

    private static func receive(_ line: String) {
        let living = all.withLock { $0.compactMap(\.captured) }
        for captured in living { captured.own.withLock { $0.append(line) } }
    }

    /// The lines captured so far.
    public var lines: [String] { own.withLock { $0 } }

    /// Returns the captured lines that contain a string.
    public func lines(with text: String) -> [String] { lines.filter { $0.contains(text) } }
}
