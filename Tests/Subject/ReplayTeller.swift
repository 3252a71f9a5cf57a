import Dispatch
import Glibc
import TaffrailGeo
internal import TaffrailLocationManager

/// Prints a line for each position that a `GeoLogger` replays, when its delegate receives it.
final class ReplayTeller: GeoLoggerDelegate {
    func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [Location]) {
        for _ in locations { say("fix") }
    }

    func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) {
        say("\(error)")
        exit(70)
    }

    /// Replays a recording until the program is ended.
    static func run(_ path: String, rate: Double) -> Never {
        var configuration = GeoLoggerConfiguration()
        configuration.mode = .replay
        configuration.replayFileName = path
        configuration.replaySpeedMultiplier = rate
        let logger = GeoLogger(configuration: configuration)
        let teller = ReplayTeller()
        logger.delegate = teller
        logger.startUpdatingLocation()
        withExtendedLifetime((logger, teller)) { dispatchMain() }
    }
}
