#if Configuration
import Foundation
import Taffrail
import TaffrailConfiguration
import TaffrailOSLog
import TaffrailTesting
import Testing

/// What can be tested of the sink where there is no unified log.
@Suite struct OSLogOptionsTests {
    /// The options under the sink's name, in front of memory.
    private enum Stand: Plugin {
        static func register(in registry: inout PluginRegistry) throws {
            try registry.addSink("oslog") { (_: OSLogOptions, instance) in MemorySink(name: instance.name) }
        }
    }

    private func read(_ text: String, _ plugin: any Plugin.Type = Stand.self) throws -> Plan {
        try Plan.read(text: text, named: "a.yaml", registry: PluginRegistry([plugin]), environment: [:])
    }

    @Test func `the sample is complete and has the defaults that it tells`() throws {
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Plugins/Sinks/OSLog/sample.yaml")
        let plan = try read(String(contentsOf: sample, encoding: .utf8))
        let options = plan.plugins.first?.plugin.options as? OSLogOptions
        #expect(options == OSLogOptions(subsystem: "com.example.ferry"))
        #expect(try read("plugins: { oslog: }").plugins.first?.plugin.options as? OSLogOptions == OSLogOptions())
    }

    @Test(arguments: [
        ("subsystem: \"\"", "1:32: plugins.oslog.subsystem: must not be empty"),
        ("category: \"\"", "1:31: plugins.oslog.category: must not be empty"),
        ("attributes: 3", "1:33: plugins.oslog.attributes: must be true or false, is 3"),
    ]) func `what is wrong is refused by name`(option: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("plugins: { oslog: { \(option) } }") }
        #expect(error?.description == "a.yaml:\(message)")
    }

    #if !canImport(OSLog)
    @Test func `where there is no unified log the plugin adds nothing, and a configuration that wants it is told so`() {
        let error = #expect(throws: ConfigurationError.self) { try read("plugins:\n  oslog:\n", OSLogPlugin.self) }
        #expect(
            error?.description
                == "a.yaml:2:3: plugin \"oslog\" is only on Apple's systems; it is in product TaffrailOSLog. "
                + "With \"enabled: false\" the file serves other systems, too")
    }
    #endif
}
#endif
