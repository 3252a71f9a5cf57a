#if Configuration
import Dispatch
import Taffrail
import TaffrailConfiguration
import TaffrailTesting
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct ReloadOrderTests {
    /// A sink whose options run a closure when the tag `old` is read.
    private enum TaggedPlugin: Plugin {
        static let whenOldIsRead = Locked<(@Sendable () -> Void)?>(nil)

        struct Options: PluginOptions {
            let tag: String

            private enum CodingKeys: String, CodingKey, CaseIterable { case tag }

            init(from decoder: any Decoder) throws {
                tag = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .tag)
                if tag == "old" { TaggedPlugin.whenOldIsRead.withLock { $0.take() }?() }
            }
        }

        static func register(in registry: inout PluginRegistry) throws {
            try registry.addSink("tagged") { (_: Options, instance) in MemorySink(name: instance.name) }
        }
    }

    @Test func `a text that another thread has read before the file changed does not replace the newer one`() throws {
        let folder = TemporaryDirectory()
        func replace(_ tag: String) throws {
            try folder.write(
                "queue: { durable: false, handle_signals: false }\nplugins: { tagged: { tag: \(tag) } }", to: "a.yaml")
        }
        try replace("first")
        let file = folder.file("a.yaml")
        let registry = try PluginRegistry([TaggedPlugin.self])
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let live = try Pipeline.start(
            Plan.read(file: file, registry: registry, environment: [:]), file: file, registry: registry,
            environment: [:], in: pipeline, watches: false)
        try replace("old")
        let ended = DispatchSemaphore(value: 0)
        let isEnded = Locked(false)
        TaggedPlugin.whenOldIsRead.withLock { body in
            body = {
                try? folder.write(folder.text("a.yaml").replacing("old", with: "new"), to: "a.yaml")
                _ = DedicatedThread.start {
                    live.reloadOrReport()
                    ended.signal()
                }
                // A thread that need not wait for this one ends now.
                let isOver = ended.wait(timeout: .now() + .milliseconds(300)) == .success
                isEnded.withLock { $0 = isOver }
            }
        }
        try live.reload()
        if !isEnded.withLock({ $0 }) { ended.wait() }
        #expect((live.plan.plugins.first?.plugin.options as? TaggedPlugin.Options)?.tag == "new")
        pipeline.shutdown()
    }
}
#endif
