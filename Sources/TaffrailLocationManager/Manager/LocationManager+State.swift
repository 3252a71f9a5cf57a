internal import Taffrail
internal import TaffrailGeo

extension LocationManager {
    /// A delegate, called on the manager's queue only.
    struct DelegateReference: @unchecked Sendable {
        weak var value: (any LocationManagerDelegate)?
    }

    /// The state of a manager, protected by its lock.
    struct State {
        var isUpdating = false
        var isAsking = false
        var request: LocationRequest?
        var requests = 0
        var distanceFilter = LocationManager.distanceFilterNone
        var desiredAccuracy = LocationAccuracy.best
        var allowsBackground = false
        var requestTimeout = Duration.seconds(10)
        var movement = MovementFilter()
        var significant: MovementFilter?
        var visits: VisitWatch?
        var visitRules = VisitRules()
        var regions: [String: RegionWatch] = [:]
        var regionRules = RegionRules()
        var delegate = DelegateReference()
        var delegateInbox: EventInbox?
        var listeners: [Int: @Sendable (LocationManagerEvent) -> Void] = [:]
        private var nextListener = 0

        mutating func add(_ listener: @escaping @Sendable (LocationManagerEvent) -> Void) -> Int {
            nextListener += 1
            listeners[nextListener] = listener
            return nextListener
        }

        /// Passes an event to all listeners, in the order of registration.
        func report(_ event: LocationManagerEvent) {
            delegateInbox?.put(event)
            if listeners.count == 1 {
                listeners.first?.value(event)
            } else {
                for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) { listener(event) }
            }
        }

        func mayUpdate(_ isInBackground: Bool) -> Bool { !isInBackground || allowsBackground }

        /// Returns the required accuracy; `nil`: no positions are wanted.
        func need(isInBackground: Bool) -> Double? {
            var needs: [Double] = []
            if request != nil || isUpdating && mayUpdate(isInBackground) { needs.append(desiredAccuracy) }
            if significant != nil { needs.append(LocationManager.significantDistance) }
            if visits != nil { needs.append(visitRules.radius) }
            for watch in regions.values { needs.append(max(10, watch.region.radius / 2)) }
            if isAsking { needs.append(LocationAccuracy.threeKilometers) }
            return needs.min()
        }

        mutating func take(_ location: Location, isInBackground: Bool, status: AuthorizationStatus) {
            var isReported = false
            if isUpdating && mayUpdate(isInBackground) {
                isReported = movement.admits(location, distance: distanceFilter)
            }
            var reported = location
            if let found = request?.take(location, desired: desiredAccuracy) {
                request = nil
                reported = found
                isReported = true
            }
            // Background activity requires a source that delivers there.
            let watches = !isInBackground || status != .authorizedWhenInUse
            if watches, significant?.admits(location, distance: LocationManager.significantDistance) == true {
                isReported = true
            }
            if isReported { report(.location(reported)) }
            guard watches else { return }
            if let visit = visits?.take(location, rules: visitRules) { report(.visit(visit)) }
            for identifier in regions.keys.sorted() { watch(identifier, location) }
        }

        private mutating func watch(_ identifier: String, _ location: Location) {
            guard let (state, isCrossing) = regions[identifier]?.take(location, rules: regionRules),
                let region = regions[identifier]?.region
            else { return }
            report(.determined(state, region))
            guard isCrossing else { return }
            if state == .inside && region.notifyOnEntry { report(.entered(region)) }
            if state == .outside && region.notifyOnExit { report(.exited(region)) }
        }
    }
}
