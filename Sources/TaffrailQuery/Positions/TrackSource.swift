/// The queries of stored positions. Any thread may call.
public protocol TrackSource: Sendable {
    /// Returns the tracks of the devices that have matching positions, by the devices' names.
    func tracks(_ request: TracksRequest) throws(LogQueryError) -> DeviceTracks

    /// Returns the measured values of the devices over time, by the devices' names. Default: an error of kind
    /// ``LogQueryError/Kind/invalid``.
    func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer

    /// Returns the visits and trips that lie at least partly within the requested times and box. Tolerance, limit and
    /// effort have no effect.
    func journeys(_ request: TracksRequest) throws(LogQueryError) -> DeviceJourneys

    /// Returns the pieces of a route, in chronological order: a piece for each device, and for each part that begins
    /// after the end of all earlier ones. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks

    /// Returns a route as a file. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8]
}

extension TrackSource {
    /// Throws an error: not supported.
    public func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer {
        throw LogQueryError(.invalid, "this store does not support series")
    }

    /// Throws an error: not supported.
    public func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks {
        throw LogQueryError(.invalid, "this store does not support routes")
    }

    /// Throws an error: not supported.
    public func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8] {
        throw LogQueryError(.invalid, "this store does not support routes")
    }
}
