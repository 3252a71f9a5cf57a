#if Command && Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// A log file and a recorder in one program that is killed while the recorder cannot write.
@Suite(.mayBlock) struct SinkSeamTests {
    /// A directory in which a program has logged lines, none of which the recorder has received.
    private struct Crash {
        let folder: TemporaryDirectory
        let lines = 20
        var logs: String { folder.file("logs") }
        var file: String { "file: { path: \(folder.file("logs/app.log")) }" }
        var recorder: String { "geo-recorder: { directory: \(folder.file("drives")), include: [logs] }" }

        init() async throws {
            folder = TemporaryDirectory()
            mkdir(folder.file("logs"), 0o700)
            // A file at the path of the recordings' directory.
            try folder.write("in the way", to: "drives")
            try configure("both.yaml", "\(file), \(recorder)")
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let program = try Program(
                ["log", "info", "--stdin", "--config", folder.file("both.yaml")], in: folder, input: ends[0])
            close(ends[0])
            for n in 1...lines {
                let line = Array("line \(n).\n".utf8)
                #expect(write(ends[1], line, line.count) == line.count)
            }
            let folder = folder
            #expect(await eventually { folder.text("logs/app.log").contains("line 20.") }, "\(folder.text("errors"))")
            program.send(SIGKILL)
            #expect(await program.wait() == 128 + SIGKILL)
            close(ends[1])
            unlink(folder.file("drives"))
        }

        func configure(_ name: String, _ plugins: String) throws {
            try folder.write("plugins: { \(plugins) }\n", to: name)
        }

        var rings: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: logs + "/.taffrail")) ?? [])
                .filter { $0.hasSuffix(".ring") }
        }

        func recorded() throws -> [String] {
            try folder.events("drives").compactMap { event in
                if case .log(let record) = event { record.message } else { nil }
            }.filter { $0.hasPrefix("line ") }
        }

        var all: [String] { (1...lines).map { "line \($0)." } }

        func run(_ arguments: String...) async throws -> (code: Int32, errors: String) {
            let before = folder.text("errors").count
            let code = try await Program.run(Array(arguments), in: folder).code
            return (code, String(folder.text("errors").dropFirst(before)))
        }
    }

    @Test func `recover keeps records that it cannot deliver, and delivers them with the configuration`() async throws {
        let crash = try await Crash()
        let without = try await crash.run("recover", crash.logs)
        #expect(without.code == 65, "\(without.errors)")
        #expect(without.errors.contains("20 records wait for geo-recorder"), "\(without.errors)")
        #expect(crash.rings.count == 1)
        let with = try await crash.run("recover", crash.logs, "--config", crash.folder.file("both.yaml"))
        #expect(with.code == 0, "\(with.errors)")
        #expect(try crash.recorded() == crash.all)
        #expect(crash.rings == [])
        let text = crash.folder.text("logs/app.log")
        #expect(text.split(separator: "\n").count { $0.contains("] line ") } == crash.lines)
    }

    @Test func `the next run delivers missing records to the recorder`() async throws {
        let crash = try await Crash()
        let next = try await crash.run("log", "info", "next", "--config", crash.folder.file("both.yaml"))
        #expect(next.code == 0, "\(next.errors)")
        #expect(try crash.recorded() == crash.all && crash.rings == [])
    }

    @Test func `a configuration without the log file recovers the recorder's part on its directory`() async throws {
        let crash = try await Crash()
        try crash.configure("recorder.yaml", crash.recorder)
        // The crashed run could not record anything in a directory that it could not create: this one is requested
        // explicitly.
        let kept = try await crash.run("recover", crash.logs, "--config", crash.folder.file("recorder.yaml"))
        #expect(kept.code == 0, "\(kept.errors)")
        #expect(try crash.recorded() == crash.all && crash.rings == [])
    }

    @Test func `recover works on the directory of a recorder without a log file`() async throws {
        let folder = TemporaryDirectory()
        let drives = folder.file("drives")
        try folder.write("plugins: { geo-recorder: { directory: \(drives), include: [logs] } }\n", to: "taffrail.yaml")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let program = try Program(
            ["log", "info", "--stdin", "--config", folder.file("taffrail.yaml")], in: folder, input: ends[0])
        close(ends[0])
        #expect(write(ends[1], "line 1.\n", 8) == 8)
        #expect(await eventually { folder.count("drives") >= 1 }, "\(folder.text("errors"))")
        program.send(SIGKILL)
        await program.wait()
        close(ends[1])
        let result = try await Program.run(
            ["recover", drives, "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(result.code == 0, "\(folder.text("errors"))")
        let names = try FileManager.default.contentsOfDirectory(atPath: drives + "/.taffrail")
        #expect(names.filter { $0.hasSuffix(".ring") } == [])
        #expect(try folder.events("drives").count == 1)
    }
}
#endif
