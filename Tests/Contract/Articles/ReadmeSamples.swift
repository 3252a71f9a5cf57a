#if Configuration && Journald
import Taffrail
import TaffrailConfiguration
import TaffrailConsole
import TaffrailGPSD
import TaffrailGeoRecorder
import TaffrailJournald
import TaffrailPrivacy

// Code of README.md; `ArticleTests` compares the two. It is compiled, not run. The first block of README.md is built in
// a separate package by .ci/check-client.

private func start() throws {
    try Pipeline.open(
        configuration: "taffrail.yaml",
        plugins: [JournaldPlugin.self, GPSDPlugin.self, GeoRecorderPlugin.self, PrivacyPlugin.self])
    try Pipeline.start(sinks: [.file("app.log"), .console(format: .json)], levels: ["net": .debug])  // in code
}
#endif
