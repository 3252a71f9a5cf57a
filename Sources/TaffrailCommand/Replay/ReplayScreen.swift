#if Command
internal import Glibc
internal import Synchronization
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTracks

/// The progress line of a replay on the terminal, and its keyboard control.
final class ReplayScreen: Sendable {
    private let player: ReplayPlayer
    private let interrupt: Interrupt
    private let isOver = Interrupt()
    private let isGone = Interrupt()
    /// The original settings of the terminal; `nil` if stdin is not one.
    private let settings = Locked<termios?>(nil)
    private let isRunning = Atomic<Bool>(false)
    /// The last position, and the units to show it in; `nil` if positions go to targets instead.
    private let units: TrackUnits?
    private let location = Locked<Location?>(nil)

    /// The help for the keys.
    static let keys =
        "space pauses, arrow keys seek 10 s back or forward, + and - double and halve the rate, . steps, q quits"

    /// The time on the track that an arrow key skips.
    private static let skip = Duration.seconds(10)

    /// - Parameters:
    ///   - interrupt: Interrupted when the replay should end.
    ///   - units: The units in which positions are shown; `nil`: they are not shown.
    init(_ player: ReplayPlayer, _ interrupt: Interrupt, showsPositionsIn units: TrackUnits?) {
        self.player = player
        self.interrupt = interrupt
        self.units = units
    }

    /// Stores a position that was replayed.
    func take(_ event: GeoEvent) {
        guard units != nil, let position = event.location else { return }
        location.withLock { $0 = position }
    }

    /// Shows the line, and reads keys.
    func start() {
        var before = termios()
        if StandardStream.isTerminal(0), tcgetattr(0, &before) == 0 {
            settings.withLock { $0 = before }
            var raw = before
            // Signals and output processing are not changed.
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(0, TCSANOW, &raw)
            if units != nil { StandardStream.report(Self.keys, isPrefixed: false) }
        }
        measure()
        if DedicatedThread.start({ self.run() }) { isRunning.store(true, ordering: .relaxed) }
    }

    /// Removes the line, and restores the terminal.
    func stop() {
        isOver.trigger()
        if isRunning.exchange(false, ordering: .relaxed) { _ = isGone.wait(timeout: nil) }
        guard var before = settings.withLock({ $0.take() }) else { return }
        tcsetattr(0, TCSANOW, &before)
    }

    /// Determines the duration of the track if the file does not contain it.
    private func measure() {
        guard player.options.path != "-", player.options.format != .json, let format = player.options.format else {
            return
        }
        _ = DedicatedThread.start { [player, isOver] in
            guard let reader = try? format.reader(path: player.options.path) else { return }
            var (count, duration) = (0, 0.0)
            while !isOver.isTriggered, let event = try? reader.next() {
                count += 1
                duration = max(duration, event.relativeTime)
            }
            if !isOver.isTriggered {
                player.setLength(duration: Duration(clampingSeconds: duration), eventCount: count)
            }
        }
    }

    private func run() {
        defer { isGone.trigger() }
        let hasKeys = settings.withLock { $0 != nil }
        var keys: [UInt8] = []
        while true {
            draw()
            switch isOver.wait(for: hasKeys ? 0 : -1, timeout: .milliseconds(200)) {
            case .interrupted: return erase()
            case .timeout: continue
            case .ready:
                var buffer = [UInt8](repeating: 0, count: 64)
                let count = read(0, &buffer, buffer.count)
                // After the end of the keyboard's input only the line is updated.
                guard count > 0 else {
                    if isOver.wait(timeout: .milliseconds(200)) == .interrupted { return erase() }
                    continue
                }
                keys += buffer.prefix(count)
                handle(&keys)
            }
        }
    }

    private func handle(_ keys: inout [UInt8]) {
        while let key = keys.first {
            if key == 27 {
                guard keys.count >= 3 else {
                    if keys.count == 1 || keys[1] != UInt8(ascii: "[") { keys.removeFirst() }
                    return
                }
                if keys[2] == UInt8(ascii: "C") { player.skip(by: Self.skip) }
                if keys[2] == UInt8(ascii: "D") { player.skip(by: .zero - Self.skip) }
                keys.removeFirst(3)
                continue
            }
            keys.removeFirst()
            switch key {
            case UInt8(ascii: " "): if player.status.state == .paused { player.play() } else { player.pause() }
            case UInt8(ascii: "+"), UInt8(ascii: "="): scale(2)
            case UInt8(ascii: "-"): scale(0.5)
            case UInt8(ascii: "."): player.step()
            case UInt8(ascii: "q"):
                interrupt.trigger()
                player.stop()
            default: break
            }
        }
    }

    private func scale(_ factor: Double) {
        let range = ReplayOptions.rates
        try? player.setRate(min(range.upperBound, max(range.lowerBound, player.status.rate * factor)))
    }

    private func draw() {
        let position = units.flatMap { units in
            location.withLock { $0 }.map { ReplayLine.position($0, in: units) }
        }
        let line = ReplayLine.text(player.status, position: position, columns: TerminalQuery.size.columns)
        write("\r\u{1B}[2K" + line)
    }

    private func erase() { write("\r\u{1B}[2K") }

    private func write(_ text: String) { StandardStream.write(text, to: 2) }
}
#endif
