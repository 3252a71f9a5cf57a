#if Command && Configuration
import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

/// `taffrail home`, with and without a running program.
@Suite(.mayBlock) struct HomeCommandTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = TemporaryDirectory()
        try folder.write(
            """
            plugins:
              simulated: { points: [{ latitude: 55.5, longitude: -12.25 }], interval: 10ms }
              file: { path: \(folder.file("app.log")) }
            """, to: "taffrail.yaml")
    }

    private func home(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
        let result = try Program.run(["home"] + words + ["--config", folder.file("taffrail.yaml")])
        return (Int32(result.code), result.output, result.errors)
    }

    private var isControlled: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.file(".taffrail"))) ?? []
        return names.contains { $0.hasSuffix(".control") }
    }

    @Test func `a home is set to the current position, to a place, shown and cleared`() async throws {
        let none = try home("show")
        #expect(none.code == 66 && none.errors.contains("no home is set"))
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(waited { isControlled && folder.text("app.log").contains("geo.location.lat=55.5") })
        let current = try home("set")
        #expect(current.output == "home 55.5,-12.25, from the last position\n", "\(current.errors)")
        #expect(try home("show").output == "55.5,-12.25\n")
        #expect(try home("set", "-33.5,151.25").output == "home -33.5,151.25, from the command\n")
        program.send(SIGTERM)
        _ = await program.wait()
        // It is kept.
        #expect(try home("show").output == "-33.5,151.25\n")
        let again = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(waited { isControlled })
        #expect(try home("show").output == "-33.5,151.25\n")
        #expect(try home("clear").code == 0)
        #expect(try home("show").code == 66)
        again.send(SIGTERM)
        _ = await again.wait()
        #expect(try home("set", "1,2").output == "home 1.0,2.0, from the command\n")
        #expect(folder.text(".taffrail/home.json").contains(#""latitude":1.0,"longitude":2.0"#))
    }

    @Test(arguments: [
        (["set", "here"], 64, "is not LATITUDE,LONGITUDE"), (["set", "1,2", "3,4"], 64, "expected one place as"),
        (["set", "91,0"], 64, "a latitude is from -90 to 90"), (["move"], 64, "Usage: taffrail home"),
        (["show", "--socket", "/nonexistent/socket"], 66, "socket"),
    ])
    func `what cannot be done is reported with an exit status`(words: [String], code: Int, message: String) throws {
        let result = try Program.run(["home"] + words + ["--directory", folder.path])
        #expect(result.code == Int32(code) && result.errors.contains(message), "\(result.errors)")
    }
}
#endif
