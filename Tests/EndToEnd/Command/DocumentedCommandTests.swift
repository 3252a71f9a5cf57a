#if Command && Configuration
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

/// Every command line of README and the other pages is run unchanged, or listed with its requirements.
@Suite(.mayBlock, .serialized) struct DocumentedCommandTests {
    /// The commands of a page, in its order, without comments.
    struct Page: CustomTestStringConvertible {
        let path: String
        let commands: [String]

        var testDescription: String { path }
    }

    static let pages: [Page] = {
        let blocks = CodeBlock.all.filter { $0.language == "console" }
        return CodeBlock.pages.compactMap { path in
            let lines = blocks.filter { $0.page == path }.flatMap { $0.text.split(separator: "\n") }
            let commands = lines.filter { $0.hasPrefix("$ ") || $0.hasPrefix("# ") }.map { line in
                (line.range(of: "  #").map { line[..<$0.lowerBound] } ?? line).dropFirst(2)
                    .trimmingCharacters(in: .whitespaces)
            }
            return commands.isEmpty ? nil : Page(path: path, commands: commands)
        }
    }()

    /// What each command that is not run to its end needs.
    static let needs: [String: String] = {
        let path = Repository.root.appending(path: "Tests/EndToEnd/Command/commands-not-run.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }
        return Dictionary(rows.map { (String($0[1]), String($0[0])) }) { first, _ in first }
    }()

    @Test func `the list names only commands that a page shows, and each is printed`() {
        let shown = Set(Self.pages.flatMap(\.commands))
        #expect(shown.count > 30)
        #expect(Set(Self.needs.keys).subtracting(shown) == [])
        for page in Self.pages {
            for command in page.commands {
                guard let need = Self.needs[command], need != "until stopped" else { continue }
                print("not run: \(command) (\(page.path)): needs \(need)")
            }
        }
    }

    @Test(arguments: pages.filter { $0.commands.contains { (needs[$0] ?? "until stopped") == "until stopped" } })
    func `the commands of a page succeed`(page: Page) throws {
        let directory = try Self.prepared(for: page)
        for command in page.commands {
            switch Self.needs[command] {
            case nil:
                guard !command.contains(".png") || Program.areThere("rsvg-convert") else {
                    print("not run: \(command) (\(page.path)): rsvg-convert is not installed (librsvg2-bin)")
                    continue
                }
                let end = try Self.start(command, in: directory).end()
                #expect(end == .exited(0), "\(command): \(directory.text("errors"))")
            case "until stopped":
                let program = try Self.start(command, in: directory)
                // It prints nothing, or something; either way it is still there.
                for _ in 0..<20 where program.isRunning && directory.size("printed") <= 0 { poll(nil, 0, 50) }
                let isRunning = program.isRunning
                program.send(SIGTERM)
                let end = program.end()
                #expect(isRunning || end == .exited(0), "\(command): \(directory.text("errors"))")
                let endings: [Program.End] = [.exited(0), .exited(143), .killed(SIGTERM)]
                #expect(endings.contains(end), "\(command): \(end)")
            default: continue
            }
        }
    }

    /// Starts a command in the page's directory, with the programs of this package.
    private static func start(_ command: String, in directory: TemporaryDirectory) throws -> Program {
        unlink(directory.file("errors"))
        unlink(directory.file("printed"))
        let line = try command.replacing("…", with: "*").replacing("2948", with: "\(freePort())")
            .replacing("SwiftServer 8080", with: "SwiftServer \(freePort())")
        var environment = CommandRun.environment(directory)
        environment["PATH"] = "\(directory.path)/bin:\(Program.products):/usr/bin:/bin"
        // The shell becomes the program, which gets the signal.
        let isSimple = !line.contains("|") && !line.contains(">")
        let script = "cd '\(directory.path)/page' && \(isSimple && !line.contains("=") ? "exec " : "")\(line)"
        return try Program(
            ["-c", "exec >'\(directory.path)/printed'; \(script)"], of: "/bin/sh", environment: environment,
            errors: directory.file("errors"))
    }

    /// A copy of the page's directory, or the files for README's commands.
    private static func prepared(for page: Page) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let files = FileManager.default
        func make(_ name: String) throws {
            try files.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        try make("bin")
        // `swift run NAME` runs the existing build.
        try directory.write("#!/bin/sh\nshift\nexec \"$@\"\n", to: "bin/swift")
        chmod(directory.file("bin/swift"), 0o755)
        guard page.path.hasPrefix("Examples/") else {
            try make("page/DIR")
            try make("page/drives")
            try make(".local/state/ferry")
            symlink(directory.file(".local"), directory.file("page/.local"))
            for name in ["page/app.log", ".local/state/ferry/app.log"] { try directory.log(["left pier 3"], to: name) }
            let root = Repository.root.path
            symlink(root + "/get-logs", directory.file("page/get-logs"))
            try directory.write("all:\n\t@echo built\n", to: "page/Makefile")
            for (log, name) in [("DIR/app.log", "ferry.yaml"), ("run/app.log", "taffrail.yaml")] {
                try directory.write("plugins: { file: { path: \(directory.path)/page/\(log) } }\n", to: "page/\(name)")
            }
            try SampleDrive.write(30, to: directory.file("page/drive.json")) { Double($0) / 10 }
            return directory
        }
        let folder = String(page.path.dropLast("/README.md".count))
        let name = String(folder.dropFirst("Examples/".count))
        for example in [name, "RecordAndReplay"] {
            let source = Repository.root.appending(path: "Examples/\(example)").path
            for file in try files.subpathsOfDirectory(atPath: source) where !file.hasPrefix(".build") {
                let target = "\(example)/\(file)"
                try make((target as NSString).deletingLastPathComponent)
                var isDirectory: ObjCBool = false
                _ = files.fileExists(atPath: source + "/" + file, isDirectory: &isDirectory)
                let isThere = files.fileExists(atPath: directory.file(target))
                if !isDirectory.boolValue, !isThere {
                    try files.copyItem(atPath: source + "/" + file, toPath: directory.file(target))
                }
            }
        }
        symlink(directory.file(name), directory.file("page"))
        return directory
    }
}
#endif
