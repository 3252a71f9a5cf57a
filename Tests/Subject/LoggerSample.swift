import Foundation
import Taffrail

// The sample of the file logger's design, unchanged except for the omitted view.

protocol View {}

let serverURL = "https://ferry.example"
nonisolated(unsafe) var error: (any Error)?
let statusCode = 200

struct ContentView: View {
    let logger = Logger.shared

    func testConnection() {
        logger.debug("Attempting connection to \(serverURL)")

        // ... network code ...

        if let error = error {
            logger.error("Connection failed: \(error.localizedDescription)")
            return
        }

        logger.info("Connection successful, status: \(statusCode)")
    }
}

/// Runs it with and without an error, prints the log, and clears it.
func runLoggerSample() {
    ContentView().testConnection()
    error = CocoaError(.fileNoSuchFile)
    ContentView().testConnection()
    Logger.shared.warning("a warning")
    say(Logger.shared.getLogContents() ?? "nothing")
    Logger.shared.clearLog()
    say("cleared: \(Logger.shared.getLogContents() ?? "nothing")")
    Logger.shared.info("after")
}
