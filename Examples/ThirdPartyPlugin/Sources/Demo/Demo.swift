import CSVLog
import Taffrail
import TaffrailConfiguration

/// A program that takes its configuration as an argument and logs three records.
@main
struct Demo {
    static func main() throws {
        do {
            try Pipeline.open(configuration: CommandLine.arguments.dropFirst().first, plugins: [CSVPlugin.self])
        } catch {
            print(error)
            return
        }
        let logger = Logger("bridge")
        logger.info("left pier 4")
        logger.debug("not shown at level info")
        logger.warning("fog, visibility \"poor\"")
        Pipeline.shared.shutdown()
    }
}
