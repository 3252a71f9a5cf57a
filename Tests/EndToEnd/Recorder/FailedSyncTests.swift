import Foundation
#if Store
import TaffrailStore
#endif
import TaffrailTestSupport
import Testing

/// The system reports once that it could not write something to the disk. Whatever a sink has lost by that must not be taken
/// for written when it is asked again.
@Suite(.mayBlock, .enabled(if: TracedCalls.compiler != nil, "no C compiler is installed")) struct FailedSyncTests {
    let folder = TemporaryDirectory()
    let outside = TemporaryDirectory()

    /// Runs the subject with a sink, and lets syncs fail of files whose paths end in a name.
    ///
    /// - Returns: The lines that it printed.
    private func run(
        _ sink: String, in directory: TemporaryDirectory? = nil, failing file: String, _ steps: String...
    ) throws -> [String] {
        let subject = try Program.subject(
            ["steps-with", (directory ?? folder).file("app.log"), sink] + steps,
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
                "FAIL_SYNC_OF": file, "FAIL_SYNC_IF": outside.file("fail"),
            ], errors: outside.file("errors"))
        let output = subject.readToEnd()
        #expect(subject.end() == .exited(0), "\(outside.text("errors"))")
        return output.split(separator: "\n").map(String.init)
    }

    /// A sink, the file whose sync fails, and the records that make it write there.
    private static let sinks: [(String, String, String)] = {
        var sinks = [("file", "/app.log", "log:10"), ("geo-recorder", ".json", "log:10")]
        #if Journald
        sinks.append(("journald", "/journald-fallback.log", "log:10"))
        #endif
        #if HTTP
        sinks += [("http", ".segment", "log:10"), ("pinger", ".segment", "locate:10")]
        #endif
        #if Store
        sinks += [("log-store", ".sqlite-wal", "log:10"), ("location-store", ".sqlite-wal", "locate:10")]
        #endif
        return sinks
    }()

    @Test(arguments: sinks)
    func `flush stays false after a failed sync`(sink: String, file: String, step: String) throws {
        let printed = try run(
            sink, failing: file, step, "drain", "flush", "fail", step, "drain", "flush", "flush", "shutdown")
        #expect(
            printed == ["drain true", "flush true", "drain true", "flush false", "flush false", "shutdown false"],
            "\(outside.text("errors"))")
        #expect(TracedCalls(outside.text("trace")).calls.contains { $0.name == "failed" })
    }

    @Test func `flush stays false after a sync of a recording has failed in the background`() throws {
        let printed = try run(
            "geo-recorder", failing: ".json", "fail", "log:10", "failed", "log:1", "drain", "flush", "flush",
            "shutdown")
        #expect(printed == ["failed true", "drain true", "flush false", "flush false", "shutdown false"])
        #expect(folder.recordings("drives").count == 1 && folder.count("drives") == 11)
    }

    @Test func `a recording whose last sync has failed is followed by another one`() throws {
        let printed = try run(
            "geo-recorder", failing: ".json", "log:5", "drain", "fail", "reopen", "failed", "log:5", "drain", "flush",
            "shutdown")
        #expect(printed == ["drain true", "failed true", "drain true", "flush false", "shutdown false"])
        #expect(folder.recordings("drives").count == 2 && folder.count("drives") == 10)
    }

    #if Store
    @Test(arguments: LoopDisk.Kind.possible.filter(\.isBtrfs), ["track.sqlite", "track.sqlite-journal"])
    func `a commit whose sync has failed is rolled back, and tried again`(_ kind: LoopDisk.Kind, file: String) throws {
        let disk = try LoopDisk(kind)
        let printed = try run(
            "location-store", in: disk.directory, failing: file, "locate:10", "drain", "fail", "locate:10", "failed",
            "drain", "flush", "shutdown")
        #expect(
            printed == ["drain true", "failed true", "drain true", "flush true", "shutdown true"],
            "\(outside.text("errors"))")
        #expect(try StoreReader(disk.directory.file("track.sqlite")).count() == 20)
    }

    @Test func `flush stays false after a sync has failed while a database took over its log`() throws {
        let printed = try run(
            "location-store", failing: ".sqlite-wal", "locate:10", "drain", "flush", "fail", "locate:120000", "drain",
            "failed", "flush", "flush", "shutdown")
        #expect(
            printed == [
                "drain true", "flush true", "drain true", "failed true", "flush false", "flush false", "shutdown false",
            ])
    }
    #endif

    #if HTTP
    @Test(arguments: [("http", "/cursor", "log:10"), ("pinger", "/state", "locate:10")])
    func `what a spool has in memory is written again after a failed sync`(sink: String, file: String, step: String)
        throws
    {
        let printed = try run(sink, failing: file, step, "drain", "fail", "flush", "shutdown")
        #expect(printed == ["drain true", "flush true", "shutdown true"], "\(outside.text("errors"))")
        let calls = TracedCalls(outside.text("trace")).calls.filter { $0.path.hasSuffix(file) }.map(\.name)
        let failed = try #require(calls.firstIndex(of: "failed"))
        #expect(calls[failed...].prefix { $0 != "sync" }.contains("write"))
    }
    #endif
}
