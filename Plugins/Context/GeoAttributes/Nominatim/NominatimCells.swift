internal import Taffrail
internal import TaffrailGeo

/// The names that a server has given, by cells of the map, and when it may be asked next. Times are those of a
/// monotonic clock.
struct NominatimCells: Sendable {
    /// A part of the map within which names are the same: a two-hundredth of a degree, 550 m from south to north.
    struct Cell: Sendable, Hashable {
        var row: Int32
        var column: Int32

        /// - Parameter coordinate: A valid coordinate.
        init(_ coordinate: Coordinate) {
            row = Int32((coordinate.latitude * 200).rounded(.down))
            column = Int32((coordinate.longitude * 200).rounded(.down))
        }
    }

    /// What is known about a cell.
    enum Knowledge: Sendable, Hashable {
        case names(Placemark)
        /// The server knows no names there.
        case nothing
    }

    /// How a request ended.
    enum Outcome: Sendable, Hashable {
        case known(Knowledge)
        /// The server refused exactly this request, or its answer made no sense.
        case unusable
        /// The server was not there or wants to be left alone, perhaps until a time.
        case failed(after: Duration?)
    }

    /// The minimum time from one request to the next.
    static let interval = Duration.seconds(1)
    /// How long an answer counts.
    static let lifetime = Duration.hours(24)
    /// How long a cell whose answer made no sense is not asked about.
    static let missLifetime = Duration.minutes(10)
    /// The first and the longest pause when the server does not answer; each is twice as long as the one before.
    static let pauses = Duration.seconds(10)...Duration.minutes(30)
    /// How many cells are kept.
    static let capacity = 1_000

    private struct Entry {
        var knowledge: Knowledge
        var end: Duration
        /// The cell that was used least recently is removed first.
        var use: UInt64
    }

    private var entries: [Cell: Entry] = [:]
    private var uses: UInt64 = 0
    private var lastRequest: Duration?
    private var pause: Duration?
    private var resumption = Duration.zero

    /// What is known about a cell now.
    mutating func knowledge(of cell: Cell, at now: Duration) -> Knowledge? {
        guard let entry = entries[cell] else { return nil }
        guard now < entry.end else {
            entries[cell] = nil
            return nil
        }
        uses += 1
        entries[cell]?.use = uses
        return entry.knowledge
    }

    /// The earliest time of the next request.
    var nextRequest: Duration { max(resumption, lastRequest.map { $0 + Self.interval } ?? .zero) }

    /// Notes that a request begins.
    mutating func begin(at now: Duration) { lastRequest = now }

    /// Notes how a request has ended.
    mutating func end(_ cell: Cell, _ outcome: Outcome, at now: Duration) {
        switch outcome {
        case .known(let knowledge):
            keep(cell, knowledge, until: now + Self.lifetime)
            (pause, resumption) = (nil, .zero)
        case .unusable:
            keep(cell, .nothing, until: now + Self.missLifetime)
        case .failed(let after):
            let next = min(pause.map { $0 * 2 } ?? Self.pauses.lowerBound, Self.pauses.upperBound)
            pause = next
            resumption = now + max(next, after ?? .zero)
        }
    }

    private mutating func keep(_ cell: Cell, _ knowledge: Knowledge, until end: Duration) {
        if entries[cell] == nil, entries.count >= Self.capacity,
            let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key
        {
            entries[oldest] = nil
        }
        uses += 1
        entries[cell] = Entry(knowledge: knowledge, end: end, use: uses)
    }
}
