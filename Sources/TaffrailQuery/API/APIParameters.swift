internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
internal import TaffrailText

/// The parameters of a request. Each may occur once, except for parameters with several values. An unused parameter is
/// an error.
struct APIParameters {
    private var values: [String: String] = [:]
    /// The values of the parameters that may occur more than once.
    private var lists: [String: [String]] = [:]

    /// The parameters that may occur more than once.
    private static let repeatable: Set = ["trip"]

    init(_ parameters: [(name: String, value: String)]) throws(APIProblem) {
        guard parameters.count <= 64 else {
            throw APIProblem(400, "there are more than 64 parameters")
        }
        for (name, value) in parameters {
            if Self.repeatable.contains(name) {
                lists[name, default: []].append(value)
                continue
            }
            guard values.updateValue(value, forKey: name) == nil else { throw APIProblem(name, "occurs twice") }
        }
    }

    /// Throws an error for a parameter that was not used.
    func finish() throws(APIProblem) {
        if let name = (Array(values.keys) + lists.keys).min() {
            throw APIProblem(name, "is not a parameter of this path")
        }
    }

    mutating func list(_ name: String) -> [String] { lists.removeValue(forKey: name) ?? [] }

    mutating func text(_ name: String) -> String? { values.removeValue(forKey: name) }

    mutating func required(_ name: String) throws(APIProblem) -> String {
        guard let text = text(name), !text.isEmpty else { throw APIProblem(name, "is missing") }
        return text
    }

    mutating func count(_ name: String, _ standard: Int, _ range: ClosedRange<Int>) throws(APIProblem) -> Int {
        guard let text = text(name) else { return standard }
        guard text.utf8.allSatisfy({ $0 &- 48 < 10 }), let number = Int(text), range.contains(number) else {
            throw APIProblem(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func time(_ name: String) throws(APIProblem) -> Timestamp? {
        guard let text = text(name) else { return nil }
        guard let nanoseconds = TimeArgument.nanoseconds(text, zone: .utc) else {
            throw APIProblem(name, "must be a time such as \(TimeArgument.forms)")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    /// Returns the records of `q`, `since` and `until`.
    mutating func selection() throws(APIProblem) -> LogSelection {
        try query().between(try time("since"), try time("until"))
    }

    private mutating func query() throws(APIProblem) -> LogSelection {
        var selection = LogSelection()
        if let text = text("q") {
            do throws(SelectionError) { selection = try LogSelection(parsing: text, zone: .utc) } catch {
                throw APIProblem("q", error.reason, column: error.column)
            }
        }
        return selection
    }

    /// Returns the records of `q`, restricted by `since`, `until` and `cursor` in terms of the clock `time`.
    private mutating func page() throws(APIProblem) -> RecordRequest {
        var request: RecordRequest
        if try choice("time", RecordClock.self) == .arrival {
            request = RecordRequest(try query())
            request.clock = .arrival
            request.arrivedSince = try time("since")
            request.arrivedUntil = try time("until")
        } else {
            request = RecordRequest(try selection())
        }
        request.cursor = text("cursor")
        return request
    }

    private mutating func choice<T: RawRepresentable & CaseIterable>(_ name: String, _ type: T.Type) throws(APIProblem)
        -> T?
    where T.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let value = T(rawValue: text) else {
            throw APIProblem(name, "must be " + T.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    private enum Order: String, CaseIterable { case newest, oldest }

    /// The fields by which a histogram may be grouped.
    private enum Division: String, CaseIterable { case level, logger, device, event, none }

    mutating func recordRequest() throws(APIProblem) -> RecordRequest {
        var request = try page()
        request.limit = try count("limit", request.limit, 1...1_000)
        request.isNewestFirst = try choice("order", Order.self) != .oldest
        try finish()
        return request
    }

    mutating func exportRequest() throws(APIProblem) -> (RecordRequest, ExportFormat) {
        var request = try page()
        request.limit = try count("limit", 10_000, 1...100_000)
        request.isNewestFirst = try choice("order", Order.self) == .newest
        let format = try choice("format", ExportFormat.self) ?? .ndjson
        try finish()
        return (request, format)
    }

    mutating func histogramRequest() throws(APIProblem) -> HistogramRequest {
        var request = HistogramRequest(try selection())
        request.buckets = try count("buckets", request.buckets, 1...2_000)
        if let division = try choice("by", Division.self) {
            request.grouping = LogGrouping(rawValue: division.rawValue)
        }
        if let text = text("interval") {
            guard let interval = DurationText.duration(text), interval >= .milliseconds(1) else {
                throw APIProblem("interval", "must be a duration of at least 1ms, such as 30s, 5m or 1h")
            }
            request.interval = interval
        }
        try finish()
        return request
    }

    mutating func valuesRequest() throws(APIProblem) -> ValuesRequest {
        var request = ValuesRequest(try required("field"), try selection())
        request.limit = try count("limit", request.limit, 1...1_000)
        try finish()
        return request
    }

    /// Returns the request for positions, visits and trips: its times, device and box.
    mutating func journeysRequest() throws(APIProblem) -> TracksRequest {
        let request = try positionsRequest()
        try finish()
        return request
    }

    private mutating func positionsRequest() throws(APIProblem) -> TracksRequest {
        var request = TracksRequest()
        request.since = try time("since")
        request.until = try time("until")
        request.device = text("device")
        if let text = text("box") {
            guard let box = CoordinateBox(text) else {
                throw APIProblem("box", "must be south, west, north and east in degrees, such as 55.5,12.4,55.8,12.7")
            }
            request.box = box
        }
        return request
    }

    mutating func seriesRequest() throws(APIProblem) -> SeriesRequest {
        var request = SeriesRequest()
        request.since = try time("since")
        request.until = try time("until")
        request.device = text("device")
        request.buckets = try count("buckets", request.buckets, 1...1_000)
        try finish()
        return request
    }

    /// Returns the request for a route, and its format; `nil`: its pieces.
    mutating func routeRequest() throws(APIProblem) -> (RouteRequest, RouteRequest.Format?) {
        var request = RouteRequest()
        for text in list("trip") { request.trips.append(try Self.trip(text)) }
        request.from = try time("from")
        request.to = try time("to")
        if let text = text("tolerance") {
            guard let tolerance = DecimalText.double(text), (0...10_000).contains(tolerance) else {
                throw APIProblem("tolerance", "must be metres from 0 to 10000")
            }
            request.tolerance = tolerance
        }
        let format = try choice("format", RouteRequest.Format.self)
        try finish()
        guard !request.trips.isEmpty else { throw APIProblem("trip", "is missing") }
        guard request.trips.count <= 50 else { throw APIProblem("trip", "may occur at most 50 times") }
        return (request, format)
    }

    /// Parses a trip of the form START/END/DEVICE.
    private static func trip(_ text: String) throws(APIProblem) -> RouteRequest.Trip {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let start = RFC3339.timestamp(parts[0]), let end = RFC3339.timestamp(parts[1]),
            start < end
        else {
            throw APIProblem(
                "trip", "must be START/END/DEVICE, such as 2026-01-05T14:30:00Z/2026-01-05T15:00:00Z/ferry")
        }
        return RouteRequest.Trip(device: parts[2], start: start, end: end)
    }

    mutating func tracksRequest() throws(APIProblem) -> TracksRequest {
        var request = try positionsRequest()
        // Without a zoom, tracks are as exact as the limit allows.
        let zoom = try count("zoom", 24, 0...24)
        // Half a pixel of a map on which the world has 256 pixels at zoom 0; at zoom 20 and above nothing is omitted.
        request.tolerance = zoom >= 20 ? 0 : 40_075_017 / 256 / Double(1 << zoom) / 2
        try finish()
        return request
    }
}
