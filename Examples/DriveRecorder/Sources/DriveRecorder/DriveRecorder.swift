import Dispatch
import Foundation
import TaffrailGeo
import TaffrailLocationManager

/// Records a drive, or replays one: it handles positions in the same way.
@main
final class DriveRecorder: GeoLoggerDelegate {
    private var remaining: Int

    private init(count: Int) { remaining = count }

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            print("usage: DriveRecorder record SOURCE COUNT | DriveRecorder replay RECORDING COUNT")
            exit(64)
        }
        var configuration = GeoLoggerConfiguration()
        if arguments[1] == "record" {
            configuration.mode = .record
            configuration.directory = URL(filePath: "drives")
            // gpsd://127.0.0.1, or nmea: and a serial line, tcp://HOST:PORT, udp://HOST:PORT or a file.
            configuration.source = LocationSource(arguments[2])
        } else {
            let recording = URL(filePath: arguments[2])
            configuration.mode = .replay
            configuration.directory = recording.deletingLastPathComponent()
            configuration.replayFileName = recording.lastPathComponent
            configuration.replaySpeedMultiplier = 100
        }
        let recorder = DriveRecorder(count: count)
        let logger = GeoLogger(configuration: configuration)
        logger.delegate = recorder
        logger.startUpdatingLocation()
        withExtendedLifetime((logger, recorder)) { dispatchMain() }
    }

    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) {
        for location in locations where remaining > 0 {
            let place = location.coordinate
            print(String(format: "%.5f %.5f %.1f m/s", place.latitude, place.longitude, location.speed ?? -1))
            remaining -= 1
        }
        guard remaining == 0 else { return }
        logger.stopUpdatingLocation()
        exit(0)
    }

    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) { print(error) }
}
