public import Taffrail

/// The formats of records that a receiver accepts, for programs that receive them by other means, and for tests.
public enum ReceivedBody: String, Sendable, Hashable, CaseIterable {
    /// `POST /ping`: a position with the state of its device.
    case ping
    /// A JSON object on each line.
    case lines
    /// OTLP logs in protobuf.
    case otlp
    /// OTLP logs in JSON.
    case otlpJSON = "otlp-json"
    /// OwnTracks over HTTP.
    case owntracks
    /// Overland.
    case overland
    /// Traccar's OsmAnd protocol as a form.
    case osmand
    /// Traccar's OsmAnd protocol in JSON.
    case osmandJSON = "osmand-json"

    /// Returns the records in a body as a receiver logs them: with the time of arrival, and with their origin in
    /// `taffrail.origin.…`.
    ///
    /// - Parameters:
    ///   - body: The body, decompressed.
    ///   - arrival: The time of arrival.
    /// - Returns: The records; `nil` if the body is invalid.
    public func records(in body: [UInt8], at arrival: Timestamp = .now) -> [LogRecord]? {
        try? read(body, Arrival(time: arrival)).records
    }

    /// Reads a body.
    func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        switch self {
        case .ping: return ReceivedRecords(records: [try PingBody(body).record(arrival)])
        case .lines: return try LinesBody.read(body, arrival)
        case .otlp: return try OTLPProtobufBody.read(body, arrival)
        case .otlpJSON: return try OTLPJSONBody.read(body, arrival)
        case .owntracks: return try OwnTracksBody.read(body, user: nil, device: nil, arrival)
        case .overland: return try OverlandBody.read(body, arrival)
        case .osmand: return try OsmAndBody.read(form: body, arrival)
        case .osmandJSON: return try OsmAndBody.read(json: body, arrival)
        }
    }
}
