package import Taffrail
package import TaffrailText
package import TaffrailTransport

/// Reads the sentences of one receiver from a serial line, a connection, datagrams or a file; reconnects after a loss.
/// Runs on one thread until it is interrupted, or the file ends.
package final class NMEAClient {
    /// Earlier dates are wrong: this code was written in 2026.
    private static let earliest = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    private let source: StreamAddress
    private let name: String
    private let silence: Duration
    /// Dates before this are due to a week number rollover; `nil`: all dates are accepted.
    private let notBefore: Timestamp?
    private let pause: Duration
    private let backoff: Backoff
    private var publisher: FixPublisher
    private let feed: LocationFeed?
    private let now: () -> Int64
    private var parser = NMEAParser()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - source: The address of the options' source.
    ///   - feed: Receives authorization changes.
    ///   - pause: The pause after which an epoch counts as complete.
    ///   - backoff: The delay before reconnecting.
    ///   - now: Returns the monotonic time in nanoseconds, by which a silence is measured.
    package init(
        _ options: NMEAOptions, at source: StreamAddress, publisher: FixPublisher, feed: LocationFeed? = nil,
        pause: Duration = .milliseconds(150), backoff: Backoff = Backoff(),
        now: @escaping () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.source = source
        name = options.name(at: source)
        var isFile = false
        if case .file = source { isFile = true }
        silence = options.silence
        notBefore = options.rollover ?? !isFile ? Self.earliest : nil
        self.publisher = publisher
        self.feed = feed
        self.pause = pause
        self.backoff = backoff
        self.now = now
    }

    /// Runs until the interrupt is triggered, or a file ends.
    ///
    /// - Throws: When a file cannot be opened or read.
    package func run(_ interrupt: Interrupt) throws(SystemError) {
        var backoff = backoff
        while !interrupt.isTriggered {
            do throws(SystemError) {
                let stream = try ByteStream.open(source, timeout: .seconds(5), interrupt: interrupt)
                let code = try serve(stream, interrupt) { backoff.reset() }
                if stream.isFinite || interrupt.isTriggered { return }
                let reason = code == 0 ? "it was closed" : Errno.text(code)
                publisher.lost(name, reason: "lost the connection to \(name): \(reason)")
            } catch {
                if case .file = source { throw error }
                guard !interrupt.isTriggered else { return }
                if error.isDenied { feed?.setAuthorization(.denied, of: name) }
                publisher.lost(name, reason: "waiting for \(name): \(error.reason)")
            }
            _ = interrupt.wait(timeout: backoff.delay())
        }
    }

    /// Reads until the stream ends.
    ///
    /// - Parameter alive: Called when the stream works: when it delivers bytes, and when it stays open without data.
    private func serve(
        _ stream: ByteStream, _ interrupt: Interrupt, alive: () -> Void
    ) throws(SystemError) -> Int32 {
        parser = NMEAParser(
            .init(device: name, notBefore: notBefore, isLive: !stream.isFinite))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        var heard = now()
        // Other instruments may share the line: their sentences do not show that the receiver is present.
        var located = heard
        while true {
            let wait: Duration? = stream.isFinite ? nil : parser.hasPending ? pause : silence
            switch stream.read(into: buffer, timeout: wait, interrupt: interrupt) {
            case .bytes(let count):
                heard = now()
                alive()
                let uptime = heard
                let before = parser.positionSentences
                parser.read(buffer[..<count], received: .now) { report in
                    take(report, uptime: stream.isFinite ? nil : uptime)
                }
                if parser.positionSentences != before { located = heard }
                if !stream.isFinite, heard - located >= silence.nanoseconds {
                    let last = located
                    parser.flush { take($0, uptime: last) }
                    publisher.lost(
                        name,
                        reason: "no position received from \(name) for \(silence.components.seconds) s")
                    located = heard
                }
            case .timeout:
                let uptime = heard
                parser.flush { take($0, uptime: uptime) }
                if now() - heard >= silence.nanoseconds {
                    alive()
                    publisher.lost(
                        name, reason: "nothing received from \(name) for \(silence.components.seconds) s")
                    // A datagram socket stays open; a line or connection may have died silently.
                    if case .udp = stream.address {
                        heard = now()
                    } else {
                        return Errno.timedOut
                    }
                }
            case .end(let code):
                if stream.isFinite {
                    parser.finish { take($0, uptime: nil) }
                    if code != 0 { throw SystemError("read \(name)", code: code) }
                }
                return code
            case .interrupted:
                parser.flush { take($0, uptime: heard) }
                return Errno.cancelled
            }
        }
    }

    private func take(_ report: PositionReport, uptime: Int64?) {
        var report = report
        report.location?.extra.uptime = uptime
        feed?.setAuthorization(.authorizedAlways, of: name)
        publisher.take(report)
    }
}
