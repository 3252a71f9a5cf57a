package import Taffrail
package import TaffrailTransport

/// Reads the sentences of one receiver from a serial line, a connection, datagrams or a file; reconnects after a loss.
/// Runs on one thread until it is interrupted, or the file ends.
package final class NMEAClient {
    /// The source of the sentences, and how to read it.
    package struct Settings: Sendable, Hashable {
        package var source: StreamAddress
        /// The receiver's name in records; default: the source.
        package var device: String?
        /// Dates before this are due to a week number rollover; `nil`: all dates are accepted.
        package var notBefore: Timestamp?
        /// The silence after which the receiver counts as lost.
        package var silence = Duration.seconds(10)
        /// The pause after which an epoch counts as complete.
        package var pause = Duration.milliseconds(150)
        /// The delay before reconnecting.
        package var backoff = Backoff()

        package init(source: StreamAddress) { self.source = source }

        /// The name of the receiver in records, and of the source for authorization.
        package var name: String { device ?? "\(source)" }
    }

    private let settings: Settings
    private var publisher: FixPublisher
    private let feed: LocationFeed?
    private let now: () -> Int64
    private var parser = NMEAParser()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - feed: Receives authorization changes.
    ///   - now: Returns the monotonic time in nanoseconds, by which a silence is measured.
    package init(
        _ settings: Settings, publisher: FixPublisher, feed: LocationFeed? = nil,
        now: @escaping () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.settings = settings
        self.publisher = publisher
        self.feed = feed
        self.now = now
    }

    private var name: String { settings.name }

    /// Runs until the interrupt is triggered, or a file ends.
    ///
    /// - Throws: When a file cannot be opened or read.
    package func run(_ interrupt: Interrupt) throws(SystemError) {
        var backoff = settings.backoff
        while !interrupt.isTriggered {
            do throws(SystemError) {
                let stream = try ByteStream.open(settings.source, timeout: .seconds(5), interrupt: interrupt)
                let code = try serve(stream, interrupt) { backoff.reset() }
                if stream.isFinite || interrupt.isTriggered { return }
                let reason = code == 0 ? "it was closed" : Errno.text(code)
                publisher.lost(name, reason: "lost the connection to \(name): \(reason)")
            } catch {
                if case .file = settings.source { throw error }
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
            .init(device: name, notBefore: settings.notBefore, isLive: !stream.isFinite))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        var heard = now()
        // Other instruments may share the line: their sentences do not show that the receiver is present.
        var located = heard
        while true {
            let wait: Duration? = stream.isFinite ? nil : parser.hasPending ? settings.pause : settings.silence
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
                if !stream.isFinite, heard - located >= settings.silence.nanoseconds {
                    let last = located
                    parser.flush { take($0, uptime: last) }
                    publisher.lost(
                        name,
                        reason: "no position received from \(name) for \(settings.silence.components.seconds) s")
                    located = heard
                }
            case .timeout:
                let uptime = heard
                parser.flush { take($0, uptime: uptime) }
                if now() - heard >= settings.silence.nanoseconds {
                    alive()
                    publisher.lost(
                        name, reason: "nothing received from \(name) for \(settings.silence.components.seconds) s")
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
