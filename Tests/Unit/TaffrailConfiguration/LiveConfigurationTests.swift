#if Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailTesting
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct LiveConfigurationTests {
    /// A file, and a pipeline that is set up from it.
    private final class Setup {
        private let folder = TemporaryDirectory()
        let directory: String
        let file: String
        let registry: PluginRegistry
        let pipeline: Pipeline
        private(set) var live: LiveConfiguration?

        init(_ text: String) throws {
            directory = folder.path
            file = directory + "/taffrail.yaml"
            registry = try PluginRegistry.withFile([ProbePlugin.self])
            pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
            try replace(text)
            let plan = try Plan.read(file: file, registry: registry, environment: [:])
            live = try Pipeline.start(
                plan, file: file, registry: registry, environment: [:], in: pipeline, watches: false)
        }

        /// As an editor does it: a new file takes the old one's name.
        func replace(_ text: String) throws {
            let whole = "queue: { durable: false, handle_signals: false }\n" + text.replacing("DIR", with: directory)
            try write(whole, to: directory + "/new.yaml")
            try #require(rename(directory + "/new.yaml", file) == 0)
        }

        private func write(_ text: String, to path: String) throws {
            let stream = try #require(fopen(path, "w"))
            fputs(text, stream)
            fclose(stream)
        }

        func contents(_ name: String) -> String {
            guard let stream = fopen(directory + name, "r") else { return "" }
            defer { fclose(stream) }
            var text = ""
            var line = [CChar](repeating: 0, count: 4096)
            while fgets(&line, 4096, stream) != nil {
                text += String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            }
            return text
        }
    }

    /// An input and a context provider that report their state.
    private enum ProbePlugin: Plugin {
        static let events = Locked<[String]>([])

        struct Options: PluginOptions {
            var tag: String
            var refuses: Bool?
        }

        struct ProbeInput: Input {
            let tag: String
            func run(into pipeline: Pipeline) async throws {
                events.withLock { $0.append("start \(tag)") }
                pipeline.logger("probe").info("from \(tag)")
                let (endless, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in endless {}
                events.withLock { $0.append("end \(tag)") }
                try Task.checkCancellation()
            }
        }

        struct ProbeContext: ContextProvider {
            let tag: String
            func publish(into slot: Pipeline.ContextSlot) { try? slot.publish(["tag": .string(tag)]) }
            func stop() { events.withLock { $0.append("stop \(tag)") } }
        }

        struct Refusal: Error, CustomStringConvertible { let description = "will not" }

        static func register(in registry: inout PluginRegistry) throws {
            try registry.addInput("probe-input") { (options: Options, _) in ProbeInput(tag: options.tag) }
            try registry.addContext("probe-context") { (options: Options, _) in ProbeContext(tag: options.tag) }
            try registry.addSink("probe-sink") { (options: Options, instance) in
                if options.refuses == true { throw Refusal() }
                return MemorySink(name: instance.name)
            }
        }
    }

    @Test func `a replaced file takes effect as a whole`() throws {
        let setup = try Setup("plugins: { file: { path: DIR/a.log } }")
        setup.pipeline.logger.info("one")
        setup.pipeline.logger.debug("off")
        try setup.replace("level: debug\nplugins: { file: { path: DIR/b.log } }")
        try setup.live?.reload()
        setup.pipeline.logger.debug("two")
        setup.pipeline.flush()
        #expect(setup.contents("/a.log").contains("one") && !setup.contents("/a.log").contains("two"))
        #expect(setup.contents("/b.log").contains("two") && !setup.contents("/b.log").contains("one"))
        #expect(!setup.contents("/a.log").contains("off"))
        setup.pipeline.shutdown()
    }

    @Test func `a file with a mistake, or a sink that refuses, changes nothing`() throws {
        let setup = try Setup("plugins: { file: { path: DIR/a.log } }")
        try setup.replace("level: debug\nplugins: { file: { path: DIR/b.log }, jurnald: }")
        #expect(throws: ConfigurationError.self) { try setup.live?.reload() }
        try setup.replace(
            "level: debug\nplugins:\n  file: { path: DIR/b.log }\n  probe-sink: { tag: x, refuses: true }")
        let error = #expect(throws: ConfigurationError.self) { try setup.live?.reload() }
        #expect(error?.description == "\(setup.file):5:3: probe-sink: will not")
        setup.pipeline.logger.info("still")
        setup.pipeline.logger.debug("off")
        setup.pipeline.flush()
        #expect(setup.contents("/a.log").contains("still") && !setup.contents("/a.log").contains("off"))
        #expect(setup.contents("/b.log") == "")
        setup.pipeline.shutdown()
    }

    @Test func `a watched file is reloaded by itself`() throws {
        let setup = try Setup("plugins: { probe-sink: { tag: w } }")
        setup.live?.watch()
        try setup.replace("level: nonsense\nplugins: { probe-sink: { tag: w } }")
        try setup.replace("level: error\nplugins: { probe-sink: { tag: w } }")
        #expect(waited { setup.pipeline.level == .error })
        try setup.replace("level: trace\nplugins: { probe-sink: { tag: w } }")
        #expect(waited { setup.pipeline.level == .trace })
        setup.pipeline.shutdown()
    }

    @Test func `a change between reading and watching is not missed`() throws {
        let setup = try Setup("plugins: { probe-sink: { tag: w } }")
        try setup.replace("level: error\nplugins: { probe-sink: { tag: w } }")
        setup.live?.watch()
        #expect(waited { setup.pipeline.level == .error })
        setup.pipeline.shutdown()
    }

    @Test func `a changed target of a link is reloaded`() throws {
        let setup = try Setup("plugins: { probe-sink: { tag: w } }")
        let target = setup.directory + "/elsewhere/real.yaml"
        try FileManager.default.createDirectory(
            atPath: setup.directory + "/elsewhere", withIntermediateDirectories: false)
        try #require(rename(setup.file, target) == 0 && symlink("elsewhere/real.yaml", setup.file) == 0)
        setup.live?.watch()
        for level in [Level.error, .trace, .warning] {
            let text = "queue: { durable: false, handle_signals: false }\nlevel: \(level.name)\n"
            try (text + "plugins: { probe-sink: { tag: w } }").write(
                toFile: target, atomically: level != .trace, encoding: .utf8)
            #expect(waited { setup.pipeline.level == level })
        }
        setup.pipeline.shutdown()
    }

    @Test(arguments: [false, true]) func `a directory that is replaced, also through a link, is watched again`(
        isLinked: Bool
    ) async throws {
        let setup = try Setup("plugins: { probe-sink: { tag: w } }")
        let base = setup.directory
        func version(_ name: String, _ level: Level) throws {
            try FileManager.default.createDirectory(atPath: base + "/" + name, withIntermediateDirectories: false)
            let text = "queue: { durable: false, handle_signals: false }\nlevel: \(level.name)\n"
            try (text + "plugins: { probe-sink: { tag: w } }").write(
                toFile: base + "/\(name)/taffrail.yaml", atomically: true, encoding: .utf8)
        }
        func use(_ name: String) throws {
            if isLinked {
                try #require(symlink(name, base + "/link") == 0 && rename(base + "/link", base + "/conf") == 0)
            } else {
                if access(base + "/conf", F_OK) == 0 {
                    try FileManager.default.removeItem(atPath: base + "/conf")
                }
                try #require(rename(base + "/" + name, base + "/conf") == 0)
            }
        }
        try version("v0", .info)
        try use("v0")
        let plan = try Plan.read(file: base + "/conf/taffrail.yaml", registry: setup.registry, environment: [:])
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let live = try Pipeline.start(
            plan, file: base + "/conf/taffrail.yaml", registry: setup.registry, environment: [:], in: pipeline,
            watches: true)
        for (number, level) in [Level.error, .trace, .warning].enumerated() {
            try version("v\(number + 1)", level)
            try use("v\(number + 1)")
            #expect(await eventually { pipeline.level == level })
        }
        await live.stop()
        pipeline.shutdown()
    }

    @Test func `inputs and contexts start, stay, change and end with the file`() async throws {
        let setup = try Setup(
            "plugins: { probe-sink: { tag: s }, in: { type: probe-input, tag: i1 }, c: { type: probe-context, tag: c1 } }"
        )
        let name = { (tag: String) in ProbePlugin.events.withLock { $0.contains(tag) } }
        #expect(await eventually { name("start i1") })
        try setup.replace(
            "plugins: { probe-sink: { tag: s }, in: { type: probe-input, tag: i1 }, c: { type: probe-context, tag: c1 } }"
        )
        try setup.live?.reload()
        #expect(!name("end i1") && !name("stop c1"))
        try setup.replace(
            "plugins: { probe-sink: { tag: s }, in: { type: probe-input, tag: i2 }, c: { type: probe-context, tag: c2 } }"
        )
        try setup.live?.reload()
        #expect(await eventually { name("end i1") && name("start i2") && name("stop c1") })
        try setup.replace("plugins: { probe-sink: { tag: s } }")
        try setup.live?.reload()
        #expect(await eventually { name("end i2") && name("stop c2") })
        await setup.live?.stop()
        setup.pipeline.shutdown()
    }

    @Test func `a program that opens its configuration gets the running parts, and no initial line in the log`() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryDirectory()
            defer { withExtendedLifetime(folder) {} }
            let directory = folder.path
            func write(_ level: String) throws {
                let text = """
                    level: \(level)
                    queue: { durable: false }
                    plugins: { file: { path: \(directory)/app.log } }
                    """
                try text.write(toFile: directory + "/taffrail.yaml", atomically: true, encoding: .utf8)
            }
            try write("info")
            let running: Pipeline.Running = try Pipeline.open(
                configuration: directory + "/taffrail.yaml", watches: false)
            #expect(running.pipeline === Pipeline.shared)
            Logger("net").info("first")
            try write("warning")
            let configuration = try #require(running.configuration)
            #expect(configuration.running === running)
            try configuration.reload()
            Logger("net").info("too low")
            #expect(Pipeline.shared.flush())
            let log = try String(contentsOfFile: directory + "/app.log", encoding: .utf8)
            #expect(log.split(separator: "\n").count == 1 && log.hasSuffix("] [INFO] first logger=net\n"))
            #expect(Pipeline.shared.run().configuration == nil)
            await running.stop()
        }
    }

    @Test func `a stopped configuration no longer watches the file`() async throws {
        let setup = try Setup("level: info\nplugins: { probe-sink: { tag: s } }")
        let live = try #require(setup.live)
        live.watch()
        try setup.replace("level: error\nplugins: { probe-sink: { tag: s } }")
        #expect(await eventually { setup.pipeline.level == .error })
        await live.running.stop()
        // Another configuration of the same file shows when a change could have been seen.
        let other = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let plan = try Plan.read(file: setup.file, registry: setup.registry, environment: [:])
        let witness = try Pipeline.start(
            plan, file: setup.file, registry: setup.registry, environment: [:], in: other, watches: true)
        for level in [Level.warning, .critical, .debug] {
            try setup.replace("level: \(level.name)\nplugins: { probe-sink: { tag: s } }")
            #expect(await eventually { other.level == level })
        }
        #expect(setup.pipeline.level == .error)
        await witness.running.stop()
        other.shutdown()
        setup.pipeline.shutdown()
    }

    @Test func `the configuration is looked for in its places, in their order`() throws {
        let setup = try Setup("plugins: { probe-sink: { tag: s } }")
        #expect(ConfigurationPath.find(environment: ["TAFFRAIL_CONFIG": "/no/such.yaml"]) == "/no/such.yaml")
        #expect(ConfigurationPath.find(environment: [:], in: setup.directory) == setup.file)
        #expect(throws: ConfigurationError.self) {
            try Plan.read(file: "/no/such.yaml", registry: setup.registry, environment: [:])
        }
        mkdir(setup.directory + "/taffrail", 0o755)
        rename(setup.file, setup.directory + "/taffrail/taffrail.yaml")
        let found = ConfigurationPath.find(
            environment: ["XDG_CONFIG_HOME": setup.directory, "HOME": "/nowhere"], in: setup.directory)
        #expect(found == setup.directory + "/taffrail/taffrail.yaml")
        unlink(setup.directory + "/taffrail/taffrail.yaml")
        rmdir(setup.directory + "/taffrail")
        setup.pipeline.shutdown()
    }
}
#endif
