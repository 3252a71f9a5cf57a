#if Command
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// The output of `taffrail tail` on a terminal and elsewhere.
@Suite(.mayBlock, .enabled(if: access("/usr/bin/script", X_OK) == 0, "script (bsdutils) is not installed"))
struct TailTerminalTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try directory.append(
            """
            [2026-01-05 14:30:00.000] [INFO] calm
            [2026-01-05 14:30:01.000] [WARNING] ice
            [2026-01-05 14:30:02.000] [ERROR] rock
            and \u{1b}[2J what others wrote

            """, to: "app.log")
    }

    /// The output on a separate terminal, or in a pipe.
    private func show(_ options: String = "", onTerminal: Bool = true, _ environment: [String: String] = [:]) throws
        -> [String]
    {
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(input) }
        let command = "'\(Program.products)/taffrail' tail \(options) '\(directory.file("app.log"))'"
        let process = try Program(
            onTerminal ? ["-qec", command, "/dev/null"] : ["-c", command],
            of: onTerminal ? "/usr/bin/script" : "/bin/sh",
            environment: ["TERM": "xterm", "NO_COLOR": "", "TZ": "UTC"].merging(environment) { $1 },
            input: input)
        let text = process.readToEnd()
        #expect(process.end() == .exited(0))
        // A terminal ends lines with CR LF, which is one character.
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }

    private static let plain = [
        "[2026-01-05 14:30:00.000] [INFO] calm", "[2026-01-05 14:30:01.000] [WARNING] ice",
        "[2026-01-05 14:30:02.000] [ERROR] rock",
    ]

    @Test func `levels have colours on a terminal, and foreign lines cannot move the cursor`() throws {
        #expect(
            try show() == [
                Self.plain[0], "\u{1b}[33m" + Self.plain[1] + "\u{1b}[0m", "\u{1b}[31m" + Self.plain[2] + "\u{1b}[0m",
                "and \\u{1b}[2J what others wrote",
            ])
        #expect(try show("--format logfmt").allSatisfy { !$0.contains("\u{1b}") })
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `they can be disabled`(environment: [String: String]) throws {
        #expect(try show("", environment) == Self.plain + ["and \\u{1b}[2J what others wrote"])
    }

    @Test func `in a pipe there are no colours, and bytes are unchanged`() throws {
        #expect(try show("", onTerminal: false) == Self.plain + ["and \u{1b}[2J what others wrote"])
    }
}
#endif
