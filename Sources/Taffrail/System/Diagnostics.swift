/// Taffrail's messages about itself: one line each on stderr, never through the pipeline.
///
/// At most ten lines in ten seconds; suppressed lines are counted, and the next line includes the count.
public enum Diagnostics {
    private static let window: Int64 = 10_000_000_000
    private static let linesInWindow = 10

    private struct State {
        var windowStart: Int64 = .min
        var lines = 0
        var suppressed = 0
        var receiver: (@Sendable (String) -> Void)?
    }

    private static let state = Locked(State())

    /// Reports a line, given without its newline. Any thread may call. Control characters are replaced by spaces.
    public static func report(_ message: String) {
        let (receiver, line): ((@Sendable (String) -> Void)?, String?) = state.withLock { state in
            if let receiver = state.receiver { return (receiver, message) }
            let now = SystemClock.monotonicNanoseconds()
            if state.windowStart == .min || now - state.windowStart > window {
                state.windowStart = now
                state.lines = 0
            }
            guard state.lines < linesInWindow else {
                state.suppressed += 1
                return (nil, nil)
            }
            state.lines += 1
            defer { state.suppressed = 0 }
            return (nil, state.suppressed == 0 ? message : "\(message) (\(state.suppressed) more lines suppressed)")
        }
        guard let line = line.map(withoutControls) else { return }
        if let receiver { return receiver(line) }
        _ = Array("taffrail: \(line)\n".utf8).withUnsafeBytes { FileDescriptor.write(all: $0, to: 2) }
    }

    private static func withoutControls(_ line: String) -> String {
        var text = ""
        for scalar in line.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            text.unicodeScalars.append(isControl ? " " : scalar)
        }
        return text
    }

    /// Redirects the lines from stderr to a closure, without a rate limit; `nil` restores stderr.
    ///
    /// - Parameter receiver: Called on the reporting thread. It must not log.
    public static func redirect(to receiver: (@Sendable (String) -> Void)?) {
        state.withLock { $0.receiver = receiver }
    }
}
