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

    /// Reports a line, given without its newline. Any thread may call. Control characters are replaced
    /// by spaces.
    public static func report(_ message: String) {
        let message = String(
            decoding: message.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
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
        guard let line else { return }
        if let receiver { return receiver(line) }
        _ = Array("taffrail: \(line)\n".utf8).withUnsafeBytes { FileDescriptor.write(all: $0, to: 2) }
    }

    /// Redirects the lines from stderr to a closure, without a rate limit; `nil` restores stderr.
    ///
    /// - Parameter receiver: Called on the reporting thread. It must not log.
    public static func redirect(to receiver: (@Sendable (String) -> Void)?) {
        state.withLock { $0.receiver = receiver }
    }
}
