package import Taffrail
internal import TaffrailText

/// The periods in which no pings are sent, by the wall clock. Positions logged in a pause are not sent later either.
package struct PingPauses: Sendable, Hashable {
    private struct Pause: Sendable, Hashable {
        var start: Timestamp
        /// `nil`: it lasts until it is ended.
        var end: Timestamp?
        /// The requested duration, until the pause has ended.
        var duration: Duration?

        func contains(_ time: Timestamp) -> Bool { time >= start && end.map { time < $0 } ?? true }
        /// Whether the pause had not ended at the last review.
        var lasts: Bool { end == nil || duration != nil }
    }

    /// In order. Only the last pause may be current.
    private var all: [Pause] = []
    /// The number of pauses that are kept: if a queue keeps records for longer, records of earlier pauses are
    /// evaluated.
    private static let limit = 8
    /// The time before a review within which the clock may have been set back: records logged in this period follow the
    /// start or the end of a pause, although their times precede it.
    private static let delay = Duration.seconds(10)

    package init() {}

    /// Returns whether a time is in a pause.
    package func contains(_ time: Timestamp) -> Bool { all.contains { $0.contains(time) } }

    /// The time at which the current pause ends by itself; `nil` if it does not, or without a pause.
    package var end: Timestamp? { all.last.flatMap { $0.lasts ? $0.end : nil } }

    /// Begins a pause.
    ///
    /// - Parameter duration: `nil`: until it is ended.
    package mutating func begin(at now: Timestamp, for duration: Duration? = nil) {
        end(at: now)
        all.append(Pause(start: now, end: duration.map { now + $0 }, duration: duration))
        if all.count > Self.limit { all.removeFirst() }
    }

    /// Ends the current pause.
    package mutating func end(at now: Timestamp) {
        guard let last = all.indices.last, all[last].lasts else { return }
        all[last].duration = nil
        all[last].end = min(all[last].end ?? now, now)
        if all[last].start >= now { all.removeLast() }
    }

    /// Adapts the pauses to a clock that was set back: a pause that has not ended continues, for at most its original
    /// duration.
    ///
    /// - Parameter now: The wall clock, not the time of a record.
    package mutating func review(at now: Timestamp) {
        for index in all.indices {
            let pause = all[index]
            if !pause.lasts {
                if let end = pause.end, end > now { all[index].end = now - Self.delay }
                continue
            }
            if pause.start > now { all[index].start = now - Self.delay }
            guard let end = pause.end, let duration = pause.duration else { continue }
            if now >= end { all[index].duration = nil }
            if end - now > duration { all[index].end = now + duration }
        }
        all.removeAll { pause in pause.end.map { $0 <= pause.start } ?? false }
    }

    // MARK: JSON

    /// The pauses as a JSON value.
    var value: LogValue {
        .array(
            all.map { pause in
                var entries = [LogValueEntry("start", .int(pause.start.nanoseconds))]
                if let end = pause.end { entries.append(LogValueEntry("end", .int(end.nanoseconds))) }
                if let duration = pause.duration {
                    entries.append(LogValueEntry("duration", .double(duration / .seconds(1))))
                }
                return .map(entries)
            })
    }

    init(_ values: [LogValue]) {
        for case .map(let entries) in values.suffix(Self.limit) {
            var (start, end, duration) = (Timestamp?.none, Timestamp?.none, Duration?.none)
            for entry in entries {
                switch (entry.key, entry.value) {
                case ("start", .int(let time)): start = Timestamp(nanoseconds: time)
                case ("end", .int(let time)): end = Timestamp(nanoseconds: time)
                case ("duration", let value): duration = value.number.map { Duration(clampingSeconds: $0) }
                default: continue
                }
            }
            if let start { all.append(Pause(start: start, end: end, duration: duration)) }
        }
    }

    var isEmpty: Bool { all.isEmpty }
}
