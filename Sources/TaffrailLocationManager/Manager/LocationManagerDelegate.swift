public import TaffrailGeo

/// Receives the events of a ``LocationManager``; every method does nothing by default.
///
/// All calls are made on the manager's queue, by default the main thread, one at a time and in order.
public protocol LocationManagerDelegate: AnyObject {
    /// New positions, oldest first; at least one.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])
    /// There is no position, a `GeoError`: code 0 if one may follow, 1 when access is denied.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)
    /// ``LocationManager/authorizationStatus`` has changed.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)
    /// An arrival or, with a departure date, a departure.
    func locationManager(_ manager: LocationManager, didVisit visit: Visit)
    /// Monitoring of a region has started.
    func locationManager(_ manager: LocationManager, didStartMonitoringFor region: CircularRegion)
    /// A region was entered.
    func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion)
    /// A region was left.
    func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion)
    /// The position relative to a region has been determined.
    func locationManager(
        _ manager: LocationManager, didDetermineState state: RegionState, for region: CircularRegion)
}

extension LocationManagerDelegate {
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {}
    /// Does nothing.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didVisit visit: Visit) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didStartMonitoringFor region: CircularRegion) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didDetermineState state: RegionState, for region: CircularRegion
    ) {}
}

extension LocationManagerDelegate {
    /// Calls the methods for some events; consecutive positions are passed in one call.
    func report(_ events: [LocationManagerEvent], of manager: LocationManager) {
        var locations: [Location] = []
        func reportLocations() {
            guard !locations.isEmpty else { return }
            locationManager(manager, didUpdateLocations: locations)
            locations.removeAll()
        }
        for event in events {
            if case .location(let location) = event {
                locations.append(location)
                continue
            }
            reportLocations()
            switch event {
            case .location: break
            case .error(let error): locationManager(manager, didFailWithError: error)
            case .authorization: locationManagerDidChangeAuthorization(manager)
            case .visit(let visit): locationManager(manager, didVisit: visit)
            case .monitoringStarted(let region): locationManager(manager, didStartMonitoringFor: region)
            case .entered(let region): locationManager(manager, didEnterRegion: region)
            case .exited(let region): locationManager(manager, didExitRegion: region)
            case .determined(let state, let region):
                locationManager(manager, didDetermineState: state, for: region)
            }
        }
        reportLocations()
    }
}
