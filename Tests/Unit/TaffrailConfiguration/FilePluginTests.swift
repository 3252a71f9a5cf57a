#if Configuration
import Taffrail
import TaffrailConfiguration
import Testing

@testable import Taffrail

@Suite struct FilePluginTests {
    func read(_ text: String) throws -> FileOptions? {
        let plan = try Plan.read(
            text: text, named: "a.yaml", registry: PluginRegistry([FilePlugin.self]), environment: [:])
        return plan.plugins.first?.plugin.options as? FileOptions
    }

    func problem(_ options: String) throws -> String {
        do {
            _ = try read("plugins:\n  file:\n    \(options)\n")
            return ""
        } catch let error as ConfigurationError {
            return error.problems.map(\.message).joined()
        }
    }

    @Test func `the sample is complete and has the documented defaults`() throws {
        let options = try #require(try read(FilePlugin.sample))
        #expect(
            options
                == FileOptions(
                    path: "app.log",
                    rotate: RotationOptions(
                        size: .mebibytes(10), every: .day, keep: 5, age: .days(30), total: .mebibytes(200),
                        free: .gibibytes(1), compress: .gzip), precision: .milliseconds, mode: 0o640, flushLevel: .error
                ))
    }

    @Test func `omitted options have their defaults, null is no limit`() throws {
        #expect(try read("plugins: { file: { path: /x/a.log } }") == FileOptions(path: "/x/a.log"))
        #expect(try read("plugins: { file: }") == FileOptions(path: "app.log"))
        let none = try read("plugins: { file: { path: a.log, rotate: { size: null, keep: null } } }")
        #expect(none?.rotate == RotationOptions(size: nil, keep: nil))
    }

    @Test func `invalid options are rejected by name`() throws {
        #expect(try problem("path: a.log\n    rotate: { size: 12B }").contains("must be from 1KiB to 1TiB"))
        #expect(try problem("path: a.log\n    rotate: { keep: -1 }").contains("0"))
        #expect(try problem("path: a.log\n    rotate: { every: moon }").contains("week"))
        #expect(try problem("path: a.log\n    mode: \"0999\"").contains("octal"))
        #expect(try problem("path: /tmp/").contains("does not name a file"))
        #expect(try problem("path: a.log\n    formt: text").contains("format"))
        #expect(try problem("path: a.log\n    format: pattern").contains("is required"))
        #expect(try problem("path: a.log\n    format: pattern\n    pattern: \"%{tiem}\"").contains("tiem"))
        #expect(try problem("path: a.log\n    precision: s").contains("us"))
        #expect(try problem("path: a.log\n    rotate: { total: 1MiB }").contains("less than size"))
    }
}
#endif
