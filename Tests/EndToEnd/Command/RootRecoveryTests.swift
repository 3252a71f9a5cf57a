#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// A log in the root directory, whose state lies in `/.taffrail`.
@Suite(.mayBlock) struct RootRecoveryTests {
    /// Makes a root directory of which all but what is written to it is the machine's, as long as the script runs.
    private static let root = """
        mount -t tmpfs none "$0"
        mkdir "$0/upper" "$0/work" "$0/root"
        mount -t overlay overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" "$0/root"
        mount --rbind /proc "$0/root/proc"
        test -x "$0/root$1/taffrail"

        """

    private static func run(
        _ script: String, in directory: TemporaryDirectory
    ) throws -> (code: CInt, output: String, errors: String) {
        try Program.run(
            ["--mount", "sh", "-ec", root + script, directory.path, Program.products], of: "unshare",
            environment: CommandRun.environment(directory))
    }

    private static let canMakeRoot =
        geteuid() == 0 && Program.path("unshare") != nil && (try? run("", in: TemporaryDirectory()).code) == 0

    @Test(.enabled(if: canMakeRoot, "an overlay of the root directory needs root, unshare and overlayfs"))
    func `what a killed program has logged to the root directory is recovered from there`() throws {
        let result = try Self.run(
            """
            set +e
            TAFFRAIL_KILL_AT=1:1 chroot "$0/root" "$1/TaffrailTestSubject" steps /app.log log:100 flush >&2
            for command in "status --json" recover "status --json"; do
                chroot "$0/root" "$1/taffrail" $command /
                echo "exit $?"
            done
            cat "$0/root/app.log"
            """, in: TemporaryDirectory())
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count > 6, "\(result)")
        let before = try #require(JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        let queue = try #require((before["queues"] as? [[String: Any]])?.first)
        let records = try #require(queue["records"] as? Int)
        #expect(queue["state"] as? String == "dead" && records > 0 && lines[1] == "exit 69")
        #expect(lines[2].hasPrefix("recovered \(records) record") && lines[3] == "exit 0", "\(result)")
        #expect(lines[4].contains("\"state\":\"idle\"") && lines[5] == "exit 0", "\(result)")
        let log = lines.dropFirst(6)
        let messages = log.compactMap { line in
            line.firstRange(of: "] line ").map { String(line[$0.upperBound...]) }
        }
        #expect(log.count == records && !messages.isEmpty && messages == (1...messages.count).map { "\($0)" })
    }
}
#endif
