public import TaffrailGeo

/// Receives the positions and errors of a ``GeoLogger``: on the queue of the logger's manager, by default the main queue,
/// one call at a time, in order.
public protocol GeoLoggerDelegate: AnyObject {
    /// New positions, at least one.
    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location])
    /// There is no position (`GeoError`), or recording failed (`RecordingError`).
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error)
    /// ``GeoLogger/authorizationStatus`` has changed. The default does nothing.
    func geoLoggerDidChangeAuthorization(_ logger: GeoLogger)
}

extension GeoLoggerDelegate {
    /// Does nothing.
    public func geoLoggerDidChangeAuthorization(_ logger: GeoLogger) {}
}
