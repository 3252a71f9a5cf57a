#if Server && Store && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

/// The viewer in Debian's chromium-headless-shell, which is Chromium without its windows. PyPI's Playwright drives it, as
/// `.ci/browser-tools` installs it. Each scenario of `browser` starts `taffrail serve` on a port that is free; those of a
/// group share a browser, whose start takes as long as many of them.
/// One browser runs at a time. It mostly waits, and leaves the processors to other tests.
@Suite(.mayBlockForMinutes, .serialized) struct ViewerTests {
    private static let python = Repository.root.appending(path: ".build-browser/bin/python3").path

    /// Why it cannot run here; `nil` if it can.
    private static let reason: String? = {
        if !Program.areThere("chromium-headless-shell") { return "install chromium-headless-shell" }
        let marker = Repository.root.appending(path: ".build-browser/complete").path
        return FileManager.default.fileExists(atPath: marker) ? nil : "run .ci/browser-tools, which needs PyPI"
    }()

    private static let scenarios = [
        ["list", "filter", "live", "hostile", "address", "timeline", "restart"],
        ["map", "keyboard", "accessible", "charts", "login", "tiles"],
        ["control", "alerts", "journeys", "route", "view"],
        ["scrub", "many"],
    ]

    @Test(.enabled(if: ViewerTests.reason == nil, "\(ViewerTests.reason ?? "")"), arguments: scenarios)
    func `the viewer works in a browser`(scenarios: [String]) async throws {
        let folder = TemporaryDirectory()
        let script = Repository.root.appending(path: "Tests/EndToEnd/Viewer/browser/run.py").path
        let taffrail = try #require(Program.path("taffrail"))
        let result = try await Program.run(["-B", script, taffrail, folder.path] + scenarios, of: Self.python)
        // What they measure.
        print(result.output)
        #expect(result.code == 0, "\(scenarios): \(result.output)\(result.errors)")
    }

    @Test func `every scenario of the browser is run`() throws {
        let browser = Repository.root.appending(path: "Tests/EndToEnd/Viewer/browser")
        let helpers: Set = ["run.py", "server.py", "browser.py", "records.py", "gpx.py"]
        let files = try FileManager.default.contentsOfDirectory(atPath: browser.path).filter { $0.hasSuffix(".py") }
        #expect(Set(files).subtracting(helpers) == Set(Self.scenarios.joined().map { "scenario_\($0).py" }))
    }
}
#endif
