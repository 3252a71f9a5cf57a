// Taffrail's own build of its examples may lack these traits; a package that copies this one has them.
#if !IN_TAFFRAIL || (Server && SwiftLog)
import Hummingbird
import Logging
import Taffrail
import TaffrailConsole
import TaffrailSwiftLog

// Records that Hummingbird and other packages log through swift-log have the same destination as the program's own.
// SIGTERM ends the service first, so that its last requests are logged as well.
try Pipeline.start(sinks: [.console(format: .json)], queue: QueueOptions(handleSignals: false))
LoggingSystem.bootstrap { TaffrailLogHandler(label: $0) }

let logger = Taffrail.Logger("greeting")
let router = Router()
router.add(middleware: LogRequestsMiddleware(.info))
router.get("hello/:name") { _, context -> String in
    let name = try context.parameters.require("name")
    logger.info("greeted", ["name": name])
    return "Hello, \(name)"
}

let port = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 8080
let server = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
try await server.runService()
Pipeline.shared.shutdown()
#endif
