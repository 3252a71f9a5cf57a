import Foundation
import TaffrailGeo
import TaffrailLocationManager
import TaffrailRecording
import Testing

// The unchanged samples of GeoLogger's design, with `Location` instead of `CLLocation` and without code that shows a
// view. They are compiled, and run in a separate folder.

final class MyViewController {
    var locations: [Location] = []
    var errors: [Error] = []

    func record(_ directory: URL) -> GeoLogger {
        // Create configuration
        var config = GeoLoggerConfiguration()
        config.mode = .record
        config.directory =
            FileManager.default.urls(
                for: .documentDirectory,
                in: .userDomainMask
            ).first
        config.directory = directory

        // Initialize GeoLogger
        let geoLogger = GeoLogger(configuration: config)
        geoLogger.delegate = self

        // Use like CLLocationManager
        geoLogger.requestWhenInUseAuthorization()
        geoLogger.startUpdatingLocation()

        // Stop recording
        geoLogger.stopUpdatingLocation()
        return geoLogger
    }

    func replay() -> GeoLogger {
        // Configure for replay
        var config = GeoLoggerConfiguration()
        config.mode = .replay
        config.replayFileName = "geo_log_2026-01-05_14-30-00.json"
        config.replaySpeedMultiplier = 2.0  // 2x speed
        config.loopReplay = false

        let geoLogger = GeoLogger(configuration: config)
        geoLogger.delegate = self
        geoLogger.startUpdatingLocation()  // begins replay
        return geoLogger
    }

    func manage() throws {
        // List all recordings
        let recordings = RecordingManager.shared.listRecordings()
        for recording in recordings {
            print("\(recording.name) - \(recording.duration)s")
        }

        // Export for sharing
        let url = RecordingManager.shared.exportRecording(
            name: "geo_log_2026-01-05_14-30-00.json"
        )
        _ = url

        // Delete recording
        try RecordingManager.shared.deleteRecording(
            name: "geo_log_2026-01-05_14-30-00.json"
        )
    }
}

extension MyViewController: GeoLoggerDelegate {
    func geoLogger(
        _ logger: GeoLogger,
        didUpdateLocations locations: [Location]
    ) {
        // Handle location updates (same as CLLocationManagerDelegate)
        self.locations += locations
    }

    func geoLogger(
        _ logger: GeoLogger,
        didFailWithError error: Error
    ) {
        // Handle errors
        errors.append(error)
    }
}

@Suite struct SampleTests {
    /// The declarations of the design, as used there.
    @Test func `the declared types are there`() {
        let configuration = GeoLoggerConfiguration()
        let mode: GeoLoggerMode = configuration.mode
        #expect(mode == .passthrough)
        let directory: URL? = configuration.directory
        #expect(directory == nil)
        let speed: Double = configuration.replaySpeedMultiplier
        #expect(speed == 1.0)
        let name: String? = configuration.replayFileName
        #expect(name == nil)
        let loops: Bool = configuration.loopReplay
        #expect(!loops)
        for mode in [GeoLoggerMode.record, .replay, .passthrough] { #expect(GeoLoggerMode.allCases.contains(mode)) }
        let info: (RecordingInfo) -> (String, Date, Int64, TimeInterval, Int) = {
            ($0.name, $0.date, $0.size, $0.duration, $0.eventCount)
        }
        _ = info
        let list: () -> [RecordingInfo] = RecordingManager.shared.listRecordings
        let delete: (String) throws -> Void = RecordingManager.shared.deleteRecording(name:)
        let export: (String) -> URL = RecordingManager.shared.exportRecording(name:)
        _ = (list, delete, export)
    }

    @Test func `the samples run`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "taffrail-sample-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let controller = MyViewController()
        let recorder = controller.record(folder)
        #expect(recorder.delegate === controller)
        _ = controller.replay()
        // This machine has no such recording.
        #expect(throws: RecordingError.self) { try controller.manage() }
    }
}
