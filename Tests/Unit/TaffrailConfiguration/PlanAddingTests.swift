#if Configuration
import Taffrail
import TaffrailConfiguration
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct PlanAddingTests {
    /// Returns the problems of adding a configuration to a plan built into a program.
    private func problems(adding text: String, to builtIn: String = "plugins: { plain: }") throws -> [String] {
        var plan = try SamplePlugins.read(builtIn)
        let added = try Plan.read(
            text: text, named: "add.yaml", registry: PluginRegistry([SamplePlugins.self, FilePlugin.self]),
            environment: [:])
        let error = #expect(throws: ConfigurationError.self) { try plan.add(added, statesIn: "/no/where") }
        return error?.problems.map(\.description) ?? []
    }

    @Test func `a name that is in use is located in the added file`() throws {
        #expect(
            try problems(adding: "plugins:\n  plain: {}")
                == ["add.yaml:2:3: plain: this name is in use; choose another one, with type: plain"])
    }

    @Test func `a destination that two added sinks share is located in the added file`() throws {
        let text = "plugins:\n  one: { type: file, path: /no/a.log }\n  two: { type: file, path: /no/a.log }"
        // Reading it reports this already; a relative path gets its directory only now.
        #expect(throws: ConfigurationError.self) { try problems(adding: text) }
        let apart = "plugins:\n  one: { type: file, path: a.log }\n  two: { type: file, path: /no/where/a.log }"
        #expect(try problems(adding: apart) == ["add.yaml:3:3: two: has the same destination as one"])
    }

    @Test func `more sinks than the queue can serve are rejected`() throws {
        let text = "plugins:\n" + (1...16).map { "  sink\($0): { type: plain }\n" }.joined()
        #expect(try problems(adding: text) == ["add.yaml:17:3: sink16: 17 sinks are enabled; the maximum is 16"])
    }

    @Test func `a part that cannot be created is located in the file that contains it`() throws {
        var plan = try SamplePlugins.read("plugins: { plain: }")
        let file = "/proc/self/status/app.log"
        let added = try Plan.read(
            text: "plugins:\n  extra: { type: file, path: \(file) }", named: "add.yaml",
            registry: PluginRegistry([FilePlugin.self]), environment: [:])
        try plan.add(added, statesIn: "/no/where")
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let error = #expect(throws: ConfigurationError.self) {
            try Pipeline.start(
                plan, file: "a program", registry: PluginRegistry([]), environment: [:], in: pipeline, watches: false,
                opensFiles: true)
        }
        #expect(error?.description.hasPrefix("add.yaml:2:3: extra: ") == true)
        pipeline.shutdown()
    }
}
#endif
