import Dispatch
import Taffrail
import TaffrailGeoTesting
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailGeo
@testable import TaffrailLocationManager
@testable import TaffrailText

/// Stores the events it receives, and their queues.
final class Told: LocationManagerDelegate, GeoLoggerDelegate, Sendable {
    private struct State {
        var words: [String] = []
        var batches: [[Location]] = []
        var errors: [any Error] = []
        var strayed = 0
    }

    static let key = DispatchSpecificKey<Int>()
    private let state = Locked(State())
    let queue = DispatchQueue(label: "told")

    init() { queue.setSpecific(key: Self.key, value: 1) }

    private func add(_ word: String, _ body: (inout State) -> Void = { _ in }) {
        let isStray = DispatchQueue.getSpecific(key: Self.key) != 1
        state.withLock { state in
            state.words.append(word)
            body(&state)
            if isStray { state.strayed += 1 }
        }
    }

    /// The events so far.
    var words: [String] {
        queue.sync {}
        return state.withLock { $0.words }
    }
    var locations: [Location] { batches.flatMap(\.self) }
    var batches: [[Location]] {
        queue.sync {}
        return state.withLock { $0.batches }
    }
    var errors: [any Error] {
        queue.sync {}
        return state.withLock { $0.errors }
    }
    /// How many calls came elsewhere than on the queue.
    var strayed: Int { state.withLock { $0.strayed } }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        add("locations \(locations.count)") { $0.batches.append(locations) }
    }
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        add("error \((error as? GeoError)?.code ?? -1)") { $0.errors.append(error) }
    }
    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        add("authorization \(manager.authorizationStatus)")
    }
    func locationManager(_ manager: LocationManager, didVisit visit: Visit) {
        add(visit.departureDate == nil ? "arrived" : "departed")
    }
    func locationManager(_ manager: LocationManager, didStartMonitoringFor region: CircularRegion) {
        add("watching \(region.identifier)")
    }
    func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion) {
        add("entered \(region.identifier)")
    }
    func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion) {
        add("exited \(region.identifier)")
    }
    func locationManager(
        _ manager: LocationManager, didDetermineState state: RegionState, for region: CircularRegion
    ) { add("\(state) \(region.identifier)") }

    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) {
        add("locations \(locations.count)") { $0.batches.append(locations) }
    }
    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) {
        add("error \((error as? GeoError)?.code ?? -1)") { $0.errors.append(error) }
    }
    func geoLoggerDidChangeAuthorization(_ logger: GeoLogger) { add("authorization \(logger.authorizationStatus)") }
}

@Suite(.mayBlock) struct LocationManagerTests {
    static let start = Timestamp(nanoseconds: 1_767_623_400_000_000_000)
    static let home = Coordinate(latitude: 55.6761, longitude: 12.5683)

    /// At a distance in metres east of home, at a time in seconds after the start.
    static func fix(_ east: Double, at second: Double, accuracy: Double? = 5) -> Location {
        let place = Geodesy.destination(from: home, bearing: 90, distance: east)
        return Location(coordinate: place, horizontalAccuracy: accuracy, timestamp: start + .seconds(second))
    }

    static func mock(_ grants: AuthorizationStatus = .authorizedAlways) -> (MockLocationManager, Told) {
        let told = Told()
        let mock = MockLocationManager(grants: grants, queue: told.queue)
        mock.manager.delegate = told
        return (mock, told)
    }

    @Test func `updates are reported between start and stop, on the queue, in order`() {
        let (mock, told) = Self.mock()
        mock.send(Self.fix(0, at: 0))
        #expect(!mock.isRunning && mock.manager.authorizationStatus == .notDetermined)
        mock.manager.startUpdatingLocation()
        mock.manager.startUpdatingLocation()
        #expect(mock.isRunning && mock.wantedAccuracy == LocationAccuracy.best)
        for index in 1...5 { mock.send(Self.fix(Double(index), at: Double(index))) }
        mock.fail()
        mock.send(Self.fix(6, at: 6))
        #expect(told.locations.map(\.timestamp) == (1...6).map { Self.start + Duration.seconds($0) })
        #expect(told.words.first == "authorization authorizedAlways" && told.words.contains("error 0"))
        mock.manager.stopUpdatingLocation()
        mock.send(Self.fix(7, at: 7))
        #expect(told.locations.count == 6 && !mock.isRunning && told.strayed == 0)
        #expect(mock.manager.location == Self.fix(7, at: 7))
    }

    @Test func `fixes that come faster than the queue runs come in one call`() {
        let (mock, told) = Self.mock()
        mock.manager.startUpdatingLocation()
        _ = told.words
        told.queue.suspend()
        for index in 0..<20 { mock.send(Self.fix(Double(index), at: Double(index))) }
        told.queue.resume()
        #expect(told.batches.map(\.count) == [20])
    }

    @MainActor @Test func `callbacks are made on the main thread if no queue is given`() async {
        let mock = MockLocationManager()
        let isMain = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            let once = Locked(false)
            let listener = mock.manager.addListener { event in
                guard event.location != nil,
                    once.withLock({ told in
                        defer { told = true }; return !told
                    })
                else {
                    return
                }
                dispatchPrecondition(condition: .onQueue(.main))
                done.resume(returning: true)
            }
            mock.manager.startUpdatingLocation()
            mock.send(Self.fix(0, at: 0))
            withExtendedLifetime(listener) {}
            Self.kept.withLock { $0 = listener }
        }
        #expect(isMain)
    }
    static let kept = Locked<LocationListener?>(nil)

    @Test func `a distance filter drops near fixes`() {
        let (mock, told) = Self.mock()
        mock.manager.distanceFilter = 100
        mock.manager.startUpdatingLocation()
        for (index, east) in [0.0, 50, 99, 101, 150, 202, 100].enumerated() {
            mock.send(Self.fix(east, at: Double(index)))
        }
        #expect(told.locations.map(\.timestamp) == [0, 3, 5, 6].map { Self.start + Duration.seconds($0) })
    }

    @Test func `a refusal is reported as a status and an error`() {
        let (mock, told) = Self.mock(.denied)
        mock.manager.startUpdatingLocation()
        #expect(told.words == ["authorization denied", "error 1"])
        mock.manager.stopUpdatingLocation()
        mock.manager.startUpdatingLocation()
        #expect(told.words.last == "error 1" && told.words.count == 3)
        mock.authorize(.authorizedAlways)
        #expect(told.words.last == "authorization authorizedAlways")
    }

    @Test func `asking for authorization opens the source until it has answered`() {
        let (mock, told) = Self.mock()
        mock.manager.requestWhenInUseAuthorization()
        #expect(told.words == ["authorization authorizedAlways"])
        #expect(!mock.isRunning)
        mock.manager.requestAlwaysAuthorization()
        #expect(told.words.count == 1)
    }

    @Test func `one location is reported once it is accurate enough`() {
        let (mock, told) = Self.mock()
        mock.manager.desiredAccuracy = LocationAccuracy.hundredMeters
        mock.manager.requestLocation()
        #expect(mock.wantedAccuracy == 100)
        mock.send(Self.fix(0, at: 0, accuracy: 500), Self.fix(1, at: 1, accuracy: 80), Self.fix(2, at: 2))
        #expect(told.locations.map(\.horizontalAccuracy) == [80] && !mock.isRunning)
    }

    @Test(arguments: [(5, 4), (LocationAccuracy.best, 9)] as [(Double, Double)])
    func `one location is as accurate as desired, and 10 m is enough for the best accuracy`(
        desired: Double, accuracy: Double
    ) {
        let (mock, told) = Self.mock()
        mock.manager.desiredAccuracy = desired
        mock.manager.requestLocation()
        mock.send(Self.fix(0, at: 0, accuracy: 11), Self.fix(1, at: 1, accuracy: 9), Self.fix(2, at: 2, accuracy: 4))
        #expect(told.locations.map(\.horizontalAccuracy) == [accuracy] && !mock.isRunning)
    }

    @Test func `one location is the best there was when time is up, or an error`() async {
        let (mock, told) = Self.mock()
        // On a busy machine a shorter time might be up before the fixes.
        mock.manager.requestTimeout = .hours(1)
        let events = mock.manager.events
        mock.manager.requestLocation()
        mock.send(
            Self.fix(0, at: 0, accuracy: 500), Self.fix(1, at: 1, accuracy: 80), Self.fix(2, at: 2, accuracy: 300))
        mock.manager.endRequest(1)
        #expect(told.locations.map(\.horizontalAccuracy) == [80])
        #expect(await eventually { !mock.isRunning })
        mock.manager.requestTimeout = .milliseconds(50)
        mock.manager.requestLocation()
        for await event in events { if case .error = event { break } }
        #expect(told.words.last == "error 0")
        #expect(await eventually { !mock.isRunning })
    }

    @Test func `a significant change is 500 m`() {
        let (mock, told) = Self.mock()
        mock.manager.startMonitoringSignificantLocationChanges()
        #expect(mock.wantedAccuracy == 500)
        for (index, east) in [0.0, 200, 499, 501, 700, 1_002].enumerated() {
            mock.send(Self.fix(east, at: Double(index)))
        }
        #expect(told.locations.map(\.timestamp) == [0, 3, 5].map { Self.start + Duration.seconds($0) })
        mock.manager.stopMonitoringSignificantLocationChanges()
        #expect(!mock.isRunning)
    }

    @Test func `a visit is reported on arrival and on departure`() async {
        let (mock, told) = Self.mock()
        let visits = Locked<[Visit]>([])
        let listener = mock.manager.addListener(queue: told.queue) { event in
            if case .visit(let visit) = event { visits.withLock { $0.append(visit) } }
        }
        mock.manager.startMonitoringVisits()
        // A way of 2 km, twenty minutes about a place with one wild fix, and a way again.
        for second in stride(from: 0.0, to: 200, by: 10) { mock.send(Self.fix(-2_000 + second * 10, at: second)) }
        for second in stride(from: 200.0, to: 1_400, by: 10) {
            mock.send(Self.fix(second == 700 ? 900 : Double(Int(second) % 70) - 35, at: second))
        }
        #expect(told.words.filter { $0 == "arrived" || $0 == "departed" } == ["arrived"])
        for second in stride(from: 1_400.0, to: 1_500, by: 10) { mock.send(Self.fix(second - 1_200, at: second)) }
        #expect(told.words.filter { $0 == "arrived" || $0 == "departed" } == ["arrived", "departed"])
        let visit = visits.withLock { $0.last }
        #expect(visit.map { Self.home.distance(to: $0.coordinate) < 20 } == true)
        #expect(visit.map { abs($0.arrivalDate.seconds(since: Self.start) - 200) <= 20 } == true)
        #expect(visit?.departureDate.map { abs($0.seconds(since: Self.start) - 1_390) <= 10 } == true)
        listener.cancel()
    }

    @Test func `a visit ends when time goes back, as in a repeated replay`() {
        let (mock, told) = Self.mock()
        mock.manager.startMonitoringVisits()
        for start in [100.0, 0.0] {
            for second in stride(from: start, through: start + 600, by: 10) { mock.send(Self.fix(0, at: second)) }
        }
        #expect(told.words.filter { $0 == "arrived" || $0 == "departed" } == ["arrived", "departed", "arrived"])
    }

    @Test func `a region is crossed when one stays beyond its edge`() {
        let (mock, told) = Self.mock()
        let region = CircularRegion(center: Self.home, radius: 100, identifier: "home")
        mock.manager.startMonitoring(for: region)
        #expect(mock.manager.monitoredRegions == [region] && mock.wantedAccuracy == 50)
        mock.send(Self.fix(50, at: 0))
        #expect(told.words == ["watching home", "authorization authorizedAlways", "inside home"])
        let count = told.words.count
        // Within the hysteresis; outside for too short a time; not accurate enough; then permanently.
        mock.send(Self.fix(110, at: 10), Self.fix(119, at: 60))
        mock.send(Self.fix(130, at: 70), Self.fix(130, at: 80), Self.fix(90, at: 85), Self.fix(130, at: 95))
        mock.send(Self.fix(130, at: 120, accuracy: 150))
        #expect(told.words.count == count)
        mock.send(Self.fix(130, at: 121))
        #expect(told.words.suffix(2) == ["outside home", "exited home"])
        mock.send(Self.fix(101, at: 130), Self.fix(101, at: 190))
        #expect(told.words.count == count + 2)
        mock.send(Self.fix(99, at: 200), Self.fix(99, at: 220))
        #expect(told.words.suffix(2) == ["inside home", "entered home"])
        mock.manager.requestState(for: region)
        #expect(told.words.last == "inside home")
        mock.manager.stopMonitoring(for: region)
        #expect(mock.manager.monitoredRegions.isEmpty && !mock.isRunning)
    }

    @Test func `only the wanted crossings are reported, and rules can be changed`() {
        let (mock, told) = Self.mock()
        var region = CircularRegion(center: Self.home, radius: 100, identifier: "home")
        region.notifyOnExit = false
        var rules = RegionRules()
        rules.dwell = .zero
        rules.hysteresis = 0
        mock.manager.regionRules = rules
        mock.manager.startMonitoring(for: region)
        mock.send(Self.fix(0, at: 0), Self.fix(101, at: 1), Self.fix(99, at: 2))
        let crossings = told.words.filter { $0.hasPrefix("entered") || $0.hasPrefix("exited") }
        #expect(crossings == ["entered home"])
    }

    @Test func `in the background updates pause unless allowed; changes, visits and regions continue`() {
        let (mock, told) = Self.mock()
        mock.manager.startUpdatingLocation()
        mock.application.enterBackground()
        #expect(!mock.isRunning)
        mock.send(Self.fix(0, at: 0))
        #expect(told.locations.isEmpty)
        mock.manager.startMonitoringSignificantLocationChanges()
        #expect(mock.wantedAccuracy == 500)
        mock.send(Self.fix(0, at: 1), Self.fix(10, at: 2))
        #expect(told.locations.count == 1)
        mock.manager.allowsBackgroundLocationUpdates = true
        #expect(mock.wantedAccuracy == LocationAccuracy.best)
        mock.send(Self.fix(20, at: 3))
        #expect(told.locations.count == 2)
        mock.manager.allowsBackgroundLocationUpdates = false
        mock.authorize(.authorizedWhenInUse)
        mock.send(Self.fix(2_000, at: 4))
        #expect(told.locations.count == 2)
        mock.application.enterForeground()
        mock.send(Self.fix(2_001, at: 5))
        #expect(told.locations.count == 3)
    }

    @Test func `several listeners and sequences get the same events`() async {
        let (mock, told) = Self.mock()
        let other = Told()
        let heard = Locked<[Location]>([])
        let listener = mock.manager.addListener(queue: other.queue) { event in
            if let location = event.location { heard.withLock { $0.append(location) } }
        }
        let (one, two) = (mock.manager.locations, mock.manager.locations)
        mock.manager.startUpdatingLocation()
        for index in 0..<10 { mock.send(Self.fix(Double(index), at: Double(index))) }
        for sequence in [one, two] {
            var seconds: [Double] = []
            for await location in sequence {
                seconds.append(location.timestamp.seconds(since: Self.start))
                if seconds.count == 10 { break }
            }
            #expect(seconds == (0..<10).map { Double($0) })
        }
        #expect(told.locations.count == 10)
        other.queue.sync {}
        #expect(heard.withLock { $0.count } == 10)
        listener.cancel()
        mock.send(Self.fix(10, at: 10))
        other.queue.sync {}
        #expect(heard.withLock { $0.count } == 10 && told.locations.count == 11)
    }

    @Test func `a released delegate is not called, and a manager is not retained by its listeners`() {
        let feed = LocationFeed()
        weak var gone: LocationManager?
        do {
            let manager = LocationManager(feed: feed, queue: DispatchQueue(label: "gone"))
            gone = manager
            manager.delegate = Told()
            manager.startUpdatingLocation()
            #expect(manager.delegate == nil && feed.demand.listeners == 1)
            feed.publish(.location(Self.fix(0, at: 0)))
        }
        #expect(gone == nil && feed.demand.listeners == 0)
    }

    @Test func `sources are read from a text`() {
        #expect(LocationSource("inputs") == .inputs)
        #expect(LocationSource("gpsd://ferry:3000") == .gpsd(host: "ferry", port: 3_000))
        #expect(LocationSource("gpsd://[::1]") == .gpsd(host: "::1", port: 2_947))
        #expect(LocationSource(GPSDOptions(host: "::1").source) == .gpsd(host: "::1", port: 2_947))
        #expect(LocationSource("nmea:/dev/ttyUSB0") == .nmea("/dev/ttyUSB0"))
        #expect(LocationSource("nmea:tcp://h:1") == .nmea("tcp://h:1"))
        for text in ["", "gpsd://", "gpsd://h:0", "nmea:", "nmea:x://y", "ferry"] {
            #expect(LocationSource(text) == nil)
        }
    }

    @Test func `a manager with its own source opens it on demand`() async throws {
        let folder = TemporaryDirectory()
        try folder.write(
            NMEAWriterSample.text, to: "way.nmea")
        let told = Told()
        let manager = LocationManager(source: .nmea(folder.file("way.nmea")), queue: told.queue)
        manager.delegate = told
        let events = manager.events
        #expect(manager.authorizationStatus == .notDetermined)
        manager.startUpdatingLocation()
        for await event in events { if case .error = event { break } }
        #expect(told.words.first == "authorization authorizedAlways")
        #expect(told.locations.count == 1 && told.errors.count == 1)
        manager.stopUpdatingLocation()
    }
}

enum NMEAWriterSample {
    static let text = """
        $GPRMC,143001.00,A,5540.56600,N,01234.09800,E,3.0,90.0,050126,,,A*67
        $GPGGA,143001.00,5540.56600,N,01234.09800,E,1,08,1.0,10.0,M,40.0,M,,*53

        """
}
