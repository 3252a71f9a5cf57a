#if Configuration
import Taffrail
import TaffrailConfiguration
import TaffrailConsole
import TaffrailGPSD
import TaffrailGeoRecorder

// The code of GettingStarted.md; `ArticleTests` compares the two. It is compiled, not run.

private func logSamples(token: String, error: any Error) {
    let pier = 4
    Logger.shared.info("left pier \(pier)", ["knots": 4.5, "pier": pier])

    let logger = Logger("net.http").with(["host": "ferry-2"])
    logger.debug("not evaluated below the level: \(logger.level)")
    logger.notice("signed in with \(token, privacy: .hash)")
    logger.error("connection failed", error: error, ["port": 4318])
}

enum Berth: String, LogValueConvertible { case north, south }

func arrive(at berth: Berth) { Logger("bridge").info("arrived", ["berth": berth]) }

private func startInCode() throws {
    try Pipeline.start(
        sinks: [
            .file("/var/log/ferry/app.log", rotate: RotationOptions(size: .mebibytes(10), keep: 7)),
            .console(format: .json),
        ], level: .info, levels: ["net": .debug])
}

private func startByConfiguration() throws {
    try Pipeline.open(
        configuration: "/etc/ferry/taffrail.yaml",
        plugins: [ConsolePlugin.self, GPSDPlugin.self, GeoRecorderPlugin.self])
}

private func end() -> Bool {
    guard Pipeline.shared.flush(timeout: .seconds(5)) else { return false }
    return Pipeline.shared.shutdown()
}
#endif
