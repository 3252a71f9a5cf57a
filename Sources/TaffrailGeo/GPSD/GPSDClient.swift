internal import Taffrail
package import TaffrailText
internal import TaffrailTransport

/// A client of one gpsd: connects, watches, merges epochs, and reconnects. Runs on one thread until it is interrupted.
package final class GPSDClient {
    private let options: GPSDOptions
    private var publisher: FixPublisher
    private let feed: LocationFeed?
    private let now: () -> Int64
    private var parser = GPSDParser()
    private var merger: EpochMerger
    private var lastReport: [String: Int64] = [:]
    /// When the wait for the first report of this connection began; `nil` once a report has arrived or is overdue.
    private var awaited: Int64?
    /// The wanted receivers that gpsd has open.
    private var opened: Set<String> = []
    private var reprobe: ReceiverReprobe

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - feed: Receives authorization changes.
    ///   - pause: How long to wait for a lost receiver before sending a request to gpsd.
    ///   - now: Returns the monotonic time in nanoseconds, by which silences and pauses are measured.
    package init(
        _ options: GPSDOptions, publisher: FixPublisher, feed: LocationFeed? = nil, pause: Duration = .seconds(30),
        now: @escaping () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.options = options
        self.publisher = publisher
        self.feed = feed
        self.now = now
        merger = EpochMerger(window: options.window)
        reprobe = ReceiverReprobe(host: options.host, pause: pause)
    }

    /// Runs until the interrupt is triggered.
    package func run(_ interrupt: Interrupt) {
        var backoff = Backoff()
        let address = StreamAddress.tcp(host: options.host, port: options.port)
        while !interrupt.isTriggered {
            do throws(SystemError) {
                let stream = try ByteStream.open(address, timeout: .seconds(5), interrupt: interrupt)
                let reason = serve(stream, interrupt) { backoff.reset() }
                guard !interrupt.isTriggered else { break }
                publisher.lost(reason: "lost the connection to gpsd at \(options.address): \(reason)")
            } catch {
                guard !interrupt.isTriggered else { break }
                if error.isDenied { feed?.setAuthorization(.denied, of: options.source) }
                publisher.lost(reason: "waiting for gpsd at \(options.address): \(error.reason)")
            }
            _ = interrupt.wait(timeout: backoff.delay())
        }
        finish()
    }

    private func finish() {
        for report in merger.finish() { publisher.take(report) }
        merger = EpochMerger(window: options.window)
        lastReport = [:]
        awaited = nil
        opened = []
        reprobe.clear()
    }

    /// Reads until the connection ends.
    ///
    /// - Parameter alive: Called when gpsd has answered.
    /// - Returns: The reason for the end.
    private func serve(_ stream: ByteStream, _ interrupt: Interrupt, alive: () -> Void) -> String {
        defer { finish() }
        parser = GPSDParser()
        if let failure = watch(stream, interrupt) { return failure }
        awaited = now()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            switch stream.read(into: buffer, timeout: nextWait(), interrupt: interrupt) {
            case .bytes(let count):
                let now = self.now()
                parser.read(buffer[..<count], received: .now) { take($0, now: now, alive: alive) }
            case .timeout: break
            case .end(let code): return code == 0 ? "the connection was closed" : Errno.text(code)
            case .interrupted: return "interrupted"
            }
            let now = self.now()
            for report in merger.expire(now: now) { publisher.take(report) }
            watchSilence(now)
            if reprobe.isDue(now: now), let failure = watch(stream, interrupt) { return failure }
        }
    }

    /// Requests all reports from gpsd.
    ///
    /// - Returns: The reason for a failure; `nil` for success.
    private func watch(_ stream: ByteStream, _ interrupt: Interrupt) -> String? {
        var request = GPSDParser.watchRequest
        let code = request.withUTF8 {
            stream.write(UnsafeRawBufferPointer($0), timeout: .seconds(5), interrupt: interrupt)
        }
        return code == 0 ? nil : Errno.text(code)
    }

    /// Returns how long a read may wait for bytes: until a merged report is due, a receiver counts as lost, or the next
    /// request to gpsd is due.
    private func nextWait() -> Duration? {
        let now = self.now()
        let last = ([awaited].compactMap(\.self) + lastReport.values).min()
        let quiet = last.map { $0 + options.silence.nanoseconds }
        guard let next = [merger.deadline, quiet, reprobe.nextTime].compactMap(\.self).min() else { return nil }
        return .nanoseconds(next - now)
    }

    private func watchSilence(_ now: Int64) {
        let silence = options.silence
        for (device, time) in lastReport where now - time >= silence.nanoseconds {
            lose(device, now, "nothing received from \(device) for \(silence.components.seconds) s")
        }
        guard let since = awaited, now - since >= silence.nanoseconds else { return }
        awaited = nil
        let device = options.device ?? (opened.count == 1 ? opened.first : nil)
        let name = device ?? "the receivers of gpsd at \(options.address)"
        publisher.lost(device, reason: "no position received from \(name) for \(silence.components.seconds) s")
        for path in opened { reprobe.add(path, now: now) }
    }

    private func lose(_ device: String, _ now: Int64, _ reason: String) {
        lastReport[device] = nil
        for report in merger.finish() { publisher.take(report) }
        publisher.lost(device, reason: reason)
        if lastReport.isEmpty { reprobe.add(device, now: now) }
    }

    private func take(_ report: GPSDReport, now: Int64, alive: () -> Void) {
        switch report {
        case .version:
            alive()
            feed?.setAuthorization(.authorizedAlways, of: options.source)
        case .position(let position):
            guard isWanted(position.device) else { return }
            awaited = nil
            lastReport[position.device ?? ""] = now
            reprobe.clear()
            for whole in merger.take(position, now: now) { publisher.take(whole) }
        case .motion(let reading):
            guard options.motion, isWanted(reading.device) else { return }
            publisher.send(.log(reading.record()))
        case .device(let device):
            guard isWanted(device.path), !device.isActive else { return }
            lose(device.path, now, "lost the connection to \(device.path)")
        case .error(let message): Diagnostics.report("gpsd at \(options.address) reported: \(message)")
        case .devices(let devices): opened = Set(devices.filter { $0.isActive && isWanted($0.path) }.map(\.path))
        case .watch, .sky, .errors, .other: break
        }
    }

    private func isWanted(_ device: String?) -> Bool { options.device == nil || options.device == device }
}
