// Taffrail's own build of its examples may lack the trait; a package that copies this one has it.
#if !IN_TAFFRAIL || Configuration
import Taffrail
import TaffrailConfiguration
import TaffrailGPSD
import TaffrailGeoRecorder
import TaffrailPrivacy
import TaffrailSimulated

/// A device in the field: the configuration determines the destinations of its log and its positions.
@main
struct FieldDevice {
    static func main() async {
        do {
            try Pipeline.open(
                configuration: CommandLine.arguments.dropFirst().first,
                plugins: [GPSDPlugin.self, SimulatedPlugin.self, GeoRecorderPlugin.self, PrivacyPlugin.self])
        } catch {
            // All errors in the file, each with line and column.
            Logger.shared.critical("cannot start", error: error)
            return
        }
        let logger = Logger("battery")
        Logger.shared.notice("started")
        // The charge would come from a sensor. SIGTERM ends the program once everything is written.
        for minute in 0... {
            let charge = max(0, 100 - minute)
            if charge < 20 {
                logger.warning("low", ["percent": charge])
            } else {
                logger.debug("charge", ["percent": charge])
            }
            try? await Task.sleep(for: .seconds(60))
        }
    }
}
#else
@main
struct FieldDevice {
    static func main() { print("FieldDevice requires the trait Configuration") }
}
#endif
