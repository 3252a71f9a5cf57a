import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// Tests start programs only through `Program` of Tests/Support: it passes on none of the tests' descriptors, which
/// would keep the connections and pipes of other tests open, and its programs end with the test.
@Suite struct ProgramStartTests {
    private static var starts: [Regex<Substring>] {
        [
            /\bProcess\(\)/, /\bSubprocess\b/, /\bposix_spawnp?\(/, /\bpopen\(/, /\bv?fork\(\)/,
            /\bdlsym\(.*"v?fork"\)/,
            /\bexec[lv][a-z]*\(/, /\bsystem\("/,
            // Unicode's rules find no word boundary in `Glibc.fork`.
        ].map { $0.wordBoundaryKind(.simple) }
    }

    /// Separate packages.
    private static let exempt = ["Benchmarks/", "Fuzz/"]

    /// Files that may start programs or fork in other ways, with the reason.
    private static let allowed: [(path: String, reason: String)] = [
        ("Support/Program.swift", "it starts them for all tests"),
        ("Subject/Forks.swift", "a program that Program has started forks"),
        ("Unit/TaffrailGeoAttributes/ProgramTests.swift", "an exit test forks, in a process of its own"),
        ("EndToEnd/Replay/CommandTests.swift", "Python, started by Program, gives a program a terminal"),
        (
            "EndToEnd/Command/StandardInputTests.swift",
            "Python, started by Program, makes the output of a program non-blocking"
        ),
        ("Contract/Shape/ProgramStartTests.swift", "it has examples"),
    ]

    /// A string that each match contains, which is much faster to find.
    private static let words = ["Process()", "Subprocess", "posix_spawn", "popen", "fork", "exec", "system"]

    private static func hasWord(_ text: String) -> Bool { words.contains { strstr(text, $0) != nil } }

    private static func isStart(_ line: some StringProtocol) -> Bool {
        guard hasWord(String(line)) else { return false }
        let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
        return starts.contains { String(code).contains($0) }
    }

    @Test func `no test starts a program past Program`() throws {
        let root = Repository.root.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
            [".swift", ".c", ".h"].contains(where: name.hasSuffix) && !Self.exempt.contains(where: name.hasPrefix)
        }
        #expect(files.count > 300)
        let found = try files.filter { name in
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            return Self.hasWord(text) && text.split(separator: "\n").contains { Self.isStart($0) }
        }
        for file in found where !Self.allowed.contains(where: { $0.path == file }) {
            Issue.record("\(file) starts a program or forks: use Program")
        }
        for (path, reason) in Self.allowed where !found.contains(path) {
            Issue.record("\(path) is on the list (\(reason)) and starts nothing: take it off")
        }
    }

    @Test(arguments: [
        "let process = Process()", "posix_spawn(&pid, path, nil, nil, argv, envp)", "let file = popen(command, \"r\")",
        "if fork() == 0 {", "Glibc.fork()", "let call = dlsym(nil, \"fork\")", "execv(path, argv)",
        "execl(path, path, nil)", "system(\"true\")",
    ])
    func `a start is found`(line: String) {
        #expect(Self.isStart(line))
        #expect(!Self.isStart("// \(line)"))
    }

    @Test(arguments: [
        "try Program([], of: \"true\")", "case \"fork\":", "Program.run([])", "processExitsWith: .success",
    ])
    func `nothing else is taken for one`(line: String) {
        #expect(!Self.isStart(line))
    }
}
