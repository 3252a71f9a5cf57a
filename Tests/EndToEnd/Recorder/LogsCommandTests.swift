#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailQuery
import TaffrailStore
import TaffrailTestSupport
import Testing

/// `taffrail logs` on a store at rest.
@Suite(.mayBlock) struct LogsCommandTests {
    /// A directory with a store of records of a net and of an app, one a second.
    private func filled(_ count: Int) throws -> (TemporaryDirectory, store: String) {
        let folder = TemporaryDirectory()
        let store = folder.file("logs.sqlite")
        try LogStore.at(store).save(
            (0..<count).map { index in
                StoredRecord(
                    time: Timestamp(nanoseconds: RecordPool.start + Int64(index) * 1_000_000_000), level: .info,
                    message: "line \(index)", eventName: index % 2 == 0 ? "app.start" : nil, logger: "net",
                    device: "ferry", run: "a run", sequence: UInt64(index))
            })
        try LogStore.at(store).close()
        return (folder, store)
    }

    private func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        try Program.run(["logs"] + arguments)
    }

    @Test func `a condition may be inverted by a minus, and a mistyped option is none`() throws {
        let (folder, store) = try filled(4)
        defer { withExtendedLifetime(folder) {} }
        for arguments in [["level:info", "-event:app.*"], ["!event:app.start"], ["-event:app.*", "level:info"]] {
            let found = try Program.run(["logs", "query", "--store", store, "--format", "csv"] + arguments)
            #expect(found.code == 0 && found.output.split(separator: "\n").count == 3, "\(arguments): \(found)")
            #expect(found.output.contains("line 1") && !found.output.contains("line 2"))
        }
        for wrong in ["-limit", "--limt"] {
            let refused = try run("query", "--store", store, wrong, "5")
            #expect(refused.code == 64 && refused.errors.contains(wrong), "\(refused)")
        }
        let refused = try run("purge", "--store", store, "--before", "now", "-f", "--yes")
        #expect(refused.code == 64, "\(refused)")
        #expect(try run("query", "--store", store, "--format", "json").output.split(separator: "\n").count == 4)
    }

    @Test func `the newest records are printed, the oldest of them first, also more than one page`() throws {
        let (folder, store) = try filled(2_600)
        defer { withExtendedLifetime(folder) {} }
        for (limit, first) in [(3, 2_597), (1_000, 1_600), (1_001, 1_599), (2_600, 0), (5_000, 0)] {
            let found = try run("query", "--store", store, "--limit", "\(limit)", "--format", "csv")
            let lines = found.output.split(separator: "\n").dropFirst()
            let messages = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false)[5] }
            #expect(messages.map(String.init) == (first..<2_600).map { "line \($0)" }, "\(limit)")
        }
        let oldest = try run("query", "--store", store, "--limit", "2", "--oldest", "--format", "csv").output
        #expect(oldest.contains("line 0") && oldest.contains("line 1") && !oldest.contains("line 2"))
        #expect(try run("query", "--store", store, "nowhere").output.isEmpty)
    }

    @Test func `purge deletes what a query finds`() throws {
        let (folder, store) = try filled(10)
        defer { withExtendedLifetime(folder) {} }
        let purged = try run("purge", "--store", store, "--before", "now", "--yes", "event:app.*")
        #expect(purged.code == 0 && purged.output == "5 records deleted\n" && purged.errors.isEmpty, "\(purged)")
        #expect(try run("values", "level", "--store", store).output == "5\tinfo\n")
    }

    @Test func `maintain deletes by the limits of the configuration, unless it gets others`() throws {
        let (folder, store) = try filled(10)
        try folder.write(
            """
            plugins:
              log-store: { path: "\(store)", keep: { streams: [{ query: "event:app.*", age: 1m }] } }
            """, to: "taffrail.yaml")
        let config = folder.file("taffrail.yaml")
        // A store that is named has no limits.
        let named = try run("maintain", "--store", store)
        #expect(named.code == 0 && named.output == "0 records deleted\n" && named.errors.isEmpty, "\(named)")
        #expect(try run("maintain", "--config", config, "--age", "36600d").output == "5 records deleted\n")
        #expect(try run("maintain", "--config", config).output == "0 records deleted\n")
        #expect(try run("maintain", "--store", store, "--age", "1d").output == "5 records deleted\n")
        #expect(try run("query", "--store", store).output.isEmpty)
        for wrong in [["--age", "soon"], ["--size", "much"]] {
            let refused = try Program.run(["logs", "maintain", "--store", store] + wrong)
            #expect(refused.code == 64 && refused.errors.contains(wrong[1]), "\(refused)")
        }
        // A timer may come before the first record.
        #expect(try run("maintain", "--store", folder.file("none.sqlite"), "--age", "1d").code == 0)
        #expect(folder.names.allSatisfy { !$0.hasPrefix("none") })
    }

    @Test func `a store in use is maintained by the program that writes it`() async throws {
        let (folder, store) = try filled(10)
        try folder.write(
            """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 100ms }
              log-store: { path: "\(store)", device: boat }
            """, to: "taffrail.yaml")
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(
            await eventually {
                (try? self.run("query", "--store", store, "device:boat").output.isEmpty) == false
            }, "\(folder.text("errors"))")
        let maintained = try await blocking { try self.run("maintain", "--store", store, "--age", "1d") }
        #expect(maintained.code == 0 && maintained.output == "10 records deleted\n", "\(maintained)")
        #expect(try run("query", "--store", store, "device:ferry").output.isEmpty)
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
    }
}
#endif
