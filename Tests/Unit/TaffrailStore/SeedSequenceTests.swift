#if Store
import Foundation
import Taffrail
import TaffrailGeoTesting
import TaffrailLocationManager
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailStore

/// The sequences of the design of a continuous position logger, one test each.
@MainActor @Suite(.mayBlock) struct SeedSequenceTests {
    /// A device with its services, whose user has not been asked for permission yet.
    @MainActor private struct Device {
        let folder: TemporaryDirectory
        let feed = LocationFeed()
        let application = ApplicationState()
        let manager: LocationManager
        let persistence: PersistenceService
        let records = MemorySink()
        let pipeline: Pipeline

        init() throws {
            folder = TemporaryDirectory()
            manager = LocationManager(feed: feed, application: application)
            persistence = PersistenceService(container: folder.store)
            pipeline = Pipeline(sinks: [records])
        }

        func service() -> LocationService {
            LocationService(
                manager: manager, persistence: persistence, saving: .direct, application: application,
                logger: pipeline.logger("geo"))
        }

        func send(_ latitude: Double, second: Int = 0) {
            feed.publish(
                .location(
                    Location(
                        latitude: latitude, longitude: 12.5683,
                        timestamp: Timestamp(nanoseconds: Timestamp.now.nanoseconds + Int64(second) * 1_000_000_000))))
        }
    }

    @Test func `1. start of the application and permission`() async throws {
        let device = try Device()
        let service = device.service()
        #expect(service.authorizationStatus == .notDetermined && !service.isTracking)
        #expect(!service.isBackgroundLocationEnabled)
        device.feed.setAuthorization(.authorizedAlways)
        #expect(await eventually { service.isTracking })
        #expect(service.authorizationStatus == .authorizedAlways && service.isBackgroundLocationEnabled)
        device.feed.setAuthorization(.denied)
        #expect(await eventually { service.authorizationStatus == .denied })
        device.pipeline.flush()
        let changes = device.records.records.filter { $0.eventName == "geo.authorization" }
        #expect(changes.map(\.level) == [.info, .warning])
        #expect(changes.compactMap { $0["taffrail.geo.authorization"] } == ["authorizedAlways", "denied"])
        device.pipeline.shutdown()
    }

    @Test func `2. following positions and saving them`() async throws {
        let device = try Device()
        let service = device.service()
        device.feed.setAuthorization(.authorizedAlways)
        #expect(await eventually { service.isTracking })
        var updates = service.updates.makeAsyncIterator()
        let before = Timestamp.now
        for index in 0..<5 { device.send(55 + Double(index), second: index) }
        #expect(await eventually { service.saveCount == 5 && service.current?.coordinate.latitude == 59 })
        #expect(try #require(service.lastSaveTimestamp) >= before)
        #expect(service.persistence.getTotalCount() == 5)
        #expect(service.persistence.fetch().map(\.lat) == [59, 58, 57, 56, 55])
        #expect(await updates.next()?.coordinate.latitude == 55)
        // What the pipeline saves in the same store counts too.
        _ = try device.folder.store.save(
            Points.line(0..<3), ends: [16, 32, 48], mark: RingMark(run: RingID(1), position: 48))
        #expect(await eventually { service.saveCount == 8 })
    }

    @Test func `3. going to the background`() async throws {
        let device = try Device()
        let service = device.service()
        device.feed.setAuthorization(.authorizedAlways)
        #expect(await eventually { service.isTracking })
        device.application.enterBackground()
        #expect(await eventually { service.isSignificantLocationChangesEnabled })
        #expect(service.isBackgroundLocationEnabled && service.isTracking)
        #expect(device.manager.allowsBackgroundLocationUpdates)
        device.send(55)
        #expect(await eventually { service.saveCount == 1 })
        device.application.enterForeground()
        #expect(await eventually { !service.isSignificantLocationChangesEnabled })
        service.stopTracking()
        #expect(!service.isTracking && !device.manager.isUpdatingLocation)
        // What has been stopped does not continue in the background.
        service.handleAppDidEnterBackground()
        #expect(!service.isSignificantLocationChangesEnabled && !service.isTracking)
        #expect(!device.manager.isMonitoringSignificantLocationChanges)
    }

    @Test func `3. going to the background with an authorization for the foreground only`() async throws {
        let device = try Device()
        let service = device.service()
        device.feed.setAuthorization(.authorizedWhenInUse)
        #expect(await eventually { service.isTracking })
        service.handleAppDidEnterBackground()
        #expect(!service.isBackgroundLocationEnabled && !device.manager.allowsBackgroundLocationUpdates)
    }

    @Test func `4. deleting the history`() async throws {
        let device = try Device()
        let service = device.persistence
        let old = Timestamp(nanoseconds: Timestamp.now.nanoseconds - 31 * 86_400 * 1_000_000_000)
        service.save(trackPoint: Location(latitude: 1, longitude: 1, timestamp: old))
        service.save(trackPoint: Location(latitude: 2, longitude: 2))
        #expect(service.purge(olderThan: 30) == 1 && service.fetch().map(\.lat) == [2])
        #expect(service.deleteAll() && service.getTotalCount() == 0)
        #expect(service.save(trackPoint: Location(latitude: 3, longitude: 3)) && service.getTotalCount() == 1)
    }

    @Test func `5. the background task`() async throws {
        let folder = TemporaryDirectory()
        let submitted = Locked<[Duration]>([])
        let scheduler = BackgroundTaskScheduler(limit: .seconds(30)) { delay, _ in
            submitted.withLock { $0.append(delay) }
        }
        let service = PersistenceService(container: folder.store, scheduler: scheduler)
        let old = Timestamp(nanoseconds: Timestamp.now.nanoseconds - 31 * 86_400 * 1_000_000_000)
        for index in 0..<10 {
            let time = Timestamp(nanoseconds: old.nanoseconds - Int64(index) * 3_600_000_000_000)
            service.save(trackPoint: Location(latitude: Double(index), longitude: 1, timestamp: time))
        }
        service.save(trackPoint: Location(latitude: 2, longitude: 2))
        let task = BackgroundTask(identifier: "purge")
        service.flush(task: task)
        #expect(task.success == true && service.getTotalCount() == 1)
        #expect(scheduler.pending == ["purge"] && submitted.withLock { $0 } == [.seconds(86_400)])
        // One whose time is over stops, and the next one is due all the same.
        service.save(trackPoint: Location(latitude: 1, longitude: 1, timestamp: old))
        let late = BackgroundTask(identifier: "late")
        late.expire()
        service.flush(task: late)
        #expect(late.success == false && service.getTotalCount() == 2)
        #expect(scheduler.pending == ["late", "purge"])
    }
}
#endif
