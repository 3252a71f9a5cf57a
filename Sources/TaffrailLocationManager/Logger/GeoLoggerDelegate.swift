public import TaffrailGeo

/// Is told what a ``GeoLogger`` receives or replays: always on the main thread, one call at a time, in order.
public protocol GeoLoggerDelegate: AnyObject {
    /// There are new positions, at least one.
    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location])
    /// There is no position (``GeoError``), or something cannot be recorded (``RecordingError``).
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error)
    /// ``GeoLogger/authorizationStatus`` has changed. Does nothing by default.
    func geoLoggerDidChangeAuthorization(_ logger: GeoLogger)
}

extension GeoLoggerDelegate {
    /// Does nothing.
    public func geoLoggerDidChangeAuthorization(_ logger: GeoLogger) {}
}
