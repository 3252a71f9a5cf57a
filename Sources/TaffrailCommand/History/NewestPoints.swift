#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore
internal import TaffrailText

/// The newest points of a query, of all devices together, read by device and the oldest first.
///
/// For each device it keeps the start of its points, not the points: a limit may be millions.
struct NewestPoints {
    private let query: TrackQuery
    private let reader: StoreReader
    private var spans: [String: Span] = [:]

    /// The points of one device.
    private struct Span {
        var oldest: TrackPoint
        var count = 0
    }

    /// Finds the first counted point of each device.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of points.
    ///   - query: The query; its limit and its order have no effect.
    /// - Throws: ``StoreError``.
    init(_ limit: Int, _ query: TrackQuery, _ reader: StoreReader) throws {
        self.query = query
        self.reader = reader
        var newest = query
        newest.limit = limit
        newest.isNewestFirst = true
        var spans: [String: Span] = [:]
        try reader.forEach(newest) { point in
            spans[point.device, default: Span(oldest: point)].oldest = point
            spans[point.device]?.count += 1
        }
        self.spans = spans
    }

    /// Returns the time from which the points of a device count, to the millisecond; `nil` if none of its points do.
    func start(of device: String) -> Timestamp? {
        spans[device].map { Timestamp(nanoseconds: $0.oldest.timestamp.milliseconds() &* 1_000_000) }
    }

    /// Calls a function with the points of a device, the oldest first.
    ///
    /// - Throws: ``StoreError``, and errors of `body`.
    func forEach(of device: String, _ body: (TrackPoint) throws -> Void) throws {
        guard let span = spans[device] else { return }
        var own = query
        own.device = device
        own.since = start(of: device)
        let first = span.oldest.timestamp.milliseconds()
        var hasBegun = false
        var left = span.count
        try reader.forEach(own) { point in
            // Others of the same millisecond may be older; a point that was just deleted is not waited for.
            hasBegun = hasBegun || point.id == span.oldest.id || point.timestamp.milliseconds() > first
            guard hasBegun, left > 0 else { return }
            left -= 1
            try body(point)
        }
    }

    /// Returns the visits and trips of a device that end at the time of its first counted point, or later.
    func journeys(in journeys: Journeys, of device: String) -> Journeys {
        guard let start = start(of: device) else { return Journeys() }
        var own = journeys.of(device)
        own.trips.removeAll { $0.arrival < start }
        own.visits.removeAll { $0.departure < start }
        return own
    }
}

extension Journeys {
    /// Returns the visits and trips of a device.
    func of(_ device: String) -> Journeys {
        var own = self
        own.trips.removeAll { $0.device != device }
        own.visits.removeAll { $0.device != device }
        return own
    }
}
#endif
