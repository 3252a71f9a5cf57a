import Dispatch
import Glibc
import TaffrailGeo
import TaffrailLocationManager

/// Fixes on their way to a delegate.
final class Passage {
    let told = Told()
    private let feed = LocationFeed()
    private let queue = DispatchQueue(label: "passage")
    private var parts: [AnyObject] = []
    private var sent = 0

    /// - Parameter make: Builds the path from the feed to the delegate, and returns the objects to keep alive.
    init(_ make: (DispatchQueue, LocationFeed, Told) -> [AnyObject]) {
        parts = make(queue, feed, told)
        feed.setAuthorization(.authorizedAlways)
    }

    /// Sends fixes and waits until all have been delivered.
    ///
    /// - Returns: The processor time that took, in seconds, of all threads.
    func pass(_ count: Int) -> Double {
        let start = Self.processorTime
        for _ in 0..<count {
            sent += 1
            feed.publish(.location(fix(sent)))
        }
        queue.sync {}
        return Self.processorTime - start
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// How many fixes a delegate received, on its queue.
final class Told: @unchecked Sendable { var count = 0 }

final class ManagerDelegate: LocationManagerDelegate {
    private let told: Told
    init(_ told: Told) { self.told = told }
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        told.count += locations.count
    }
}

final class LoggerDelegate: GeoLoggerDelegate {
    private let told: Told
    init(_ told: Told) { self.told = told }
    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) { told.count += locations.count }
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) {}
}
