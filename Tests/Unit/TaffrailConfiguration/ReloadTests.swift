#if Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailConfiguration
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// Configurations that are reloaded from a real file, with real log files.
@Suite(.mayBlock) struct ReloadTests {
    /// A directory with a configuration, and a pipeline that is set up from it.
    private final class Setup {
        private let folder = TemporaryDirectory(isInMemory: true)
        let directory: String
        let pipeline: Pipeline
        let live: LiveConfiguration
        var file: String { directory + "/taffrail.yaml" }

        init(_ text: String, durable: Bool = false) throws {
            directory = folder.path
            let file = directory + "/taffrail.yaml"
            try Self.write(text, to: file, in: directory)
            let registry = try PluginRegistry.withFile([])
            let plan = try Plan.read(file: file, registry: registry, environment: [:])
            pipeline = Pipeline(sinks: [], queue: plan.queue)
            live = try Pipeline.start(
                plan, file: file, registry: registry, environment: [:], in: pipeline, watches: false)
        }

        deinit {
            pipeline.shutdown()
        }

        private static func write(_ text: String, to file: String, in directory: String) throws {
            try text.replacing("DIR", with: directory).write(toFile: file, atomically: true, encoding: .utf8)
        }

        /// Replaces the file and has it read.
        func reload(_ text: String) throws {
            try Self.write(text, to: file, in: directory)
            try live.reload()
        }

        /// Expects that a text is rejected.
        func expectRejection(
            _ text: String, _ reason: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
        ) {
            let error = #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) { try reload(text) }
            let told = error?.description.replacing(directory, with: "DIR")
            #expect(told?.contains(reason) == true, "\(told ?? "")", sourceLocation: sourceLocation)
        }

        /// The messages in a file.
        func messages(_ name: String) -> [String] {
            let text = (try? String(contentsOfFile: directory + "/" + name, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map { String($0.split(separator: "] ", maxSplits: 2).last ?? "") }
        }
    }

    private static let queue = "queue: { durable: false, handle_signals: false }\n"

    @Test func `the same file with other options is closed, and opened with those`() throws {
        let setup = try Setup(Self.queue + "plugins: { file: { path: DIR/a.log } }")
        setup.pipeline.logger.info("as text")
        try setup.reload(Self.queue + "plugins: { file: { path: DIR/a.log, format: json } }")
        setup.pipeline.logger.info("as JSON")
        #expect(setup.pipeline.drain())
        #expect(setup.messages("a.log").first == "as text")
        #expect(setup.messages("a.log").last?.contains("\"message\":\"as JSON\"") == true)
        #expect(setup.messages("a.log").count == 2)
    }

    @Test func `if the new one cannot be created the old one is reopened, and loses nothing`() throws {
        let setup = try Setup(
            Self.queue + "plugins: { file: { path: DIR/a.log }, other: { type: file, path: DIR/b.log } }")
        setup.pipeline.logger.info("one")
        // The file's changed options work, the other's do not: both are as before.
        setup.expectRejection(
            Self.queue
                + "plugins:\n  file: { path: DIR/a.log, format: json }\n  other: { type: file, path: DIR/a.log/x/b.log }",
            "DIR/taffrail.yaml:4:3: other: ")
        setup.pipeline.logger.info("two")
        #expect(setup.pipeline.drain())
        #expect(setup.messages("a.log") == ["one", "two"])
        #expect(setup.messages("b.log") == ["one", "two"])
        let plan = setup.live.plan
        #expect(plan.plugins.map(\.name) == ["file", "other"])
    }

    @Test func `a file that cannot be opened is rejected before the first record, too`() throws {
        let setup = try Setup(Self.queue + "level: debug\nplugins: { file: { path: DIR/a.log } }")
        let bad = "  other: { type: file, path: DIR/taffrail.yaml/b.log }"
        setup.expectRejection(
            Self.queue + "level: error\nplugins:\n  file: { path: DIR/a.log }\n\(bad)",
            "DIR/taffrail.yaml:5:3: other: ")
        // Also where it would be in the way of one that was never opened, and is first in the file.
        setup.expectRejection(
            Self.queue
                + "plugins:\n  other: { type: file, path: DIR/a.log/x/b.log }\n  file: { path: DIR/a.log }",
            "DIR/taffrail.yaml:3:3: other: ")
        // Also where it takes the place of one that was never opened.
        setup.expectRejection(
            Self.queue + "plugins: { file: { path: DIR/taffrail.yaml/a.log } }", "DIR/taffrail.yaml:2:12: file: ")
        #expect(setup.pipeline.level == .debug && setup.live.plan.plugins.map(\.name) == ["file"])
        setup.pipeline.logger.debug("one")
        #expect(setup.pipeline.drain())
        #expect(setup.messages("a.log") == ["one"])
        // A file that can be opened is accepted, and exists before its first record.
        try setup.reload(Self.queue + "plugins: { file: { path: DIR/c.log } }")
        #expect(FileManager.default.fileExists(atPath: setup.directory + "/c.log"))
    }

    @Test func `two plugins for one file are rejected`() throws {
        let setup = try Setup(Self.queue + "plugins: { a: { type: file, path: DIR/a.log } }")
        setup.pipeline.logger.info("one")
        setup.expectRejection(
            Self.queue + "plugins:\n  a: { type: file, path: DIR/a.log }\n  b: { type: file, path: DIR/a.log }",
            "DIR/taffrail.yaml:4:3: b: has the same destination as a")
        setup.pipeline.logger.info("two")
        #expect(setup.pipeline.drain())
        #expect(setup.messages("a.log") == ["one", "two"])
    }

    @Test func `a changed queue is reported to need a restart, and the rest takes effect`() throws {
        let captured = CapturedDiagnostics()
        let setup = try Setup(Self.queue + "plugins: { file: { path: DIR/a.log } }")
        setup.pipeline.logger.info("one")
        let message = "changes under \"queue:\" take effect when the program is restarted"
        let before = captured.lines(with: message).count
        try setup.reload(
            "queue: { durable: false, handle_signals: false, capacity: 1MiB }\nlevel: debug\n"
                + "plugins: { file: { path: DIR/a.log } }")
        #expect(captured.lines(with: message).count > before)
        setup.pipeline.logger.debug("two")
        #expect(setup.pipeline.drain())
        #expect(setup.messages("a.log") == ["one", "two"])
    }

    // MARK: Many

    /// Tells the threads of a test that something begins, again and again until the end.
    private final class Starts: Sendable {
        private let state = NSCondition()
        private let count = Locked<Int?>(0)

        /// Releases all waiting threads, and later ones.
        func next() { change { $0 = ($0 ?? 0) + 1 } }

        /// Lets every thread end.
        func end() { change { $0 = nil } }

        private func change(_ body: (inout Int?) -> Void) {
            state.lock()
            count.withLock { body(&$0) }
            state.broadcast()
            state.unlock()
        }

        /// Waits for a start after `seen`.
        ///
        /// - Returns: The newest one; `nil` at the end.
        func wait(after seen: Int) -> Int? {
            state.lock()
            defer { state.unlock() }
            while let newest = count.withLock({ $0 }) {
                if newest > seen { return newest }
                state.wait()
            }
            return nil
        }
    }

    /// The n-th configuration: wrong in one of four ways when n is odd.
    private func text(_ n: Int) -> String {
        let level = ["trace", "debug", "info", "notice"][n / 2 % 4]
        let kept = "  file: { path: DIR/kept.log }\n"
        let turn = "  turn: { type: file, path: DIR/turn-\(n / 2 % 3).log }\n"
        let good = Self.queue + "level: \(level)\nplugins:\n\(kept)\(turn)"
        guard n % 2 == 1 else { return good }
        switch n / 2 % 4 {
        case 0: return good + "  jurnald:\n"
        case 1: return good + "  bad: { type: file, path: DIR/kept.log/no/file.log }\n"
        case 2: return good + "levels: [\n"
        default:
            return Self.queue + "level: trace\nplugins:\n\(turn)  twin: { type: file, path: DIR/kept.log }\n\(kept)"
        }
    }

    @Test func `a thousand reloads, half of them wrong, lose nothing and leave nothing half done`() throws {
        let setup = try Setup(text(0))
        let starts = Starts()
        let counts = Locked<[Int: Int]>([:])
        var threads: [OwnThread] = []
        for thread in 0..<4 {
            let pipeline = setup.pipeline
            let writer = OwnThread {
                let logger = pipeline.logger("t\(thread)")
                var count = 0
                var start = 0
                // Each reload runs against a few records of each thread.
                while let next = starts.wait(after: start) {
                    start = next
                    for _ in 0..<5 {
                        logger.error("\(thread) \(count)")
                        count += 1
                    }
                }
                counts.withLock { $0[thread] = count }
            }
            threads.append(writer)
        }
        var rejected = 0
        for n in 1...1000 {
            let before = (setup.pipeline.level, setup.live.plan.plugins.map(\.plugin))
            starts.next()
            do {
                try setup.reload(text(n))
                #expect(n % 2 == 0)
                #expect(setup.pipeline.level == setup.live.plan.level)
            } catch {
                rejected += 1
                #expect(n % 2 == 1, "\(error)")
                #expect(setup.pipeline.level == before.0)
                let after = setup.live.plan.plugins.map(\.plugin)
                #expect(zip(before.1, after).allSatisfy { $0.isSame(as: $1) } && before.1.count == after.count)
            }
        }
        starts.end()
        for thread in threads { thread.join() }
        #expect(rejected == 500)
        #expect(setup.pipeline.shutdown())
        let kept = setup.messages("kept.log")
        #expect(kept.count >= 4 * 5)
        #expect(kept.count == counts.withLock { $0.values.reduce(0, +) })
        for thread in 0..<4 {
            let own = kept.filter { $0.hasPrefix("\(thread) ") }
            let count = counts.withLock { $0[thread] } ?? 0
            #expect(own == (0..<count).map { "\(thread) \($0) logger=t\(thread)" })
        }
        // The files that took turns have every record once, each in its time.
        let turns = (0..<3).flatMap { setup.messages("turn-\($0).log") }
        #expect(turns.count == kept.count && Set(turns) == Set(kept))
    }
}
#endif
