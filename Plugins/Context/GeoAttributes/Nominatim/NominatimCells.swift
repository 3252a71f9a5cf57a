internal import Taffrail
internal import TaffrailGeo

/// The names that a server has returned, by cells of the map, and the time of the next request. Times are of a
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

    /// The cached names of a cell.
    enum Knowledge: Sendable, Hashable {
        case names(Placemark)
        /// The server has no names for the cell.
        case nothing
    }

    /// The result of a request.
    enum Outcome: Sendable, Hashable {
        case known(Knowledge)
        /// The server refused only this request, or its response was malformed.
        case unusable
        /// The server was unavailable or refused all requests, possibly until a given time.
        case failed(after: Duration?)
    }

    /// The minimum time from one request to the next.
    static let interval = Duration.seconds(1)
    /// The time for which a response is valid.
    static let lifetime = Duration.hours(24)
    /// The time for which a cell with a malformed response is not requested again.
    static let missLifetime = Duration.minutes(10)
    /// The first and the longest pause while the server does not respond; each is twice as long as the previous one.
    static let pauses = Duration.seconds(10)...Duration.minutes(30)
    /// The maximum number of cells.
    static let capacity = 1_000

    private struct Entry {
        var knowledge: Knowledge
        var end: Duration
        /// The least recently used cell is removed first.
        var use: UInt64
    }

    private var entries: [Cell: Entry] = [:]
    private var uses: UInt64 = 0
    private var lastRequest: Duration?
    private var pause: Duration?
    private var resumption = Duration.zero

    /// Returns the cached names of a cell, if they are still valid.
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

    /// Records the start of a request.
    mutating func begin(at now: Duration) { lastRequest = now }

    /// Records the result of a request.
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
