import Taffrail
import TaffrailGeo
import TaffrailGeoTesting
import TaffrailLocationManager
import TaffrailRecording
import TaffrailTesting
import TaffrailTracks
import Testing

// The code of the first pages of libraries; `ArticleTests` compares them. It is compiled, not run.

private func capture() {
    withCapturedLog { log in
        Logger("bridge").info("left pier \(3)")
        #expect(log.messages == ["left pier 3"])
    }
}

private func recordSimulatedPositions() {
    let receiver = MockLocationManager()
    let files = MockFileManager()
    var configuration = GeoLoggerConfiguration()
    configuration.mode = .record
    configuration.directory = files.directory
    configuration.recording.faults = files.faults
    let logger = GeoLogger(configuration: configuration, locationManager: receiver.manager)
    logger.startUpdatingLocation()
    receiver.send(Location(latitude: 55.6761, longitude: 12.5683))
    files.fail(.full)
}

private func convert() throws {
    let conversion = try TrackConversion(from: "drive.json", .json, to: "drive.gpx", .gpx)
    print("\(conversion.events) events, \(conversion.locations) of them positions")
}
