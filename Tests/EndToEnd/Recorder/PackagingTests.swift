#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// What `make install` and `make deb` make of the command.
@Suite(.mayBlockForMinutes) struct PackagingTests {
    private static let binary = Program.products + "/taffrail"
    private let folder: TemporaryDirectory

    init() throws { folder = TemporaryDirectory() }

    private func script(
        _ name: String, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> (code: CInt, output: String, errors: String) {
        let path = Repository.root.appending(path: "Packaging/\(name)").path
        return try Program.run(arguments, of: path, environment: environment)
    }

    private func files(below path: String) -> [String] {
        (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }

    @Test func `an installation has everything, and an uninstallation leaves nothing`() throws {
        let root = folder.file("root")
        let installed = try script("install", Self.binary, root, environment: ["PREFIX": "/opt/taffrail"])
        #expect(installed.code == 0, "\(installed.errors)")
        let files = files(below: root + "/opt/taffrail")
        for name in [
            "bin/taffrail", "bin/get-logs", "share/bash-completion/completions/taffrail",
            "share/zsh/site-functions/_taffrail", "share/fish/vendor_completions.d/taffrail.fish",
            "lib/systemd/system/taffrail.service", "lib/systemd/system/taffrail-upkeep.timer",
        ] { #expect(files.contains(name), "\(name)") }
        let unit = folder.text("root/opt/taffrail/lib/systemd/system/taffrail.service")
        #expect(unit.contains("ExecStart=/opt/taffrail/bin/taffrail run") && !unit.contains("/usr/local"))
        // A page for each command, the nested ones too.
        for name in ["taffrail", "taffrail-log", "taffrail-tail", "taffrail-recordings-export", "get-logs"] {
            #expect(files.contains("share/man/man1/\(name).1"), "\(name)")
        }
        let page = folder.text("root/opt/taffrail/share/man/man1/taffrail-tail.1")
        #expect(page.contains(".SH OPTIONS\n") && page.contains("\\-\\-follow"))
        #expect(try script("uninstall", root, environment: ["PREFIX": "/opt/taffrail"]).code == 0)
        #expect(self.files(below: root) == [])
        #expect(try script("uninstall", root, environment: ["PREFIX": "/opt/taffrail"]).code == 1)
    }

    /// Completes the last word of a line as bash does.
    private static let shell = """
        source <(taffrail --generate-completion-script bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _taffrail taffrail "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        echo "${COMPREPLY[@]}"
        """

    @Test(
        .enabled(if: Program.areThere("bash"), "bash is not installed"),
        arguments: [
            (["tail", "b.l"], "b.log"), (["log", "info", "x", "--file", "b.l"], "b.log"),
            (["check", "fer"], "ferry.yaml"),
            (["recover", "dri"], "drives"), (["plugins", "jour"], "journald"),
            (["record", "--directory", "dri"], "drives"),
            (["recordings", "info", "--directory", "drives", ""], "x.json"),
            (["recordings", "info", "drives/"], "drives/x.json"),
        ])
    func `bash completes files, directories, plugins and recordings`(words: [String], wanted: String) throws {
        for name in ["b.log", "ferry.yaml", "notes.txt"] { try folder.write("", to: name) }
        mkdir(folder.file("drives"), 0o700)
        try folder.write("", to: "drives/x.json")
        let line = "cd '\(folder.path)'\n" + Self.shell
        let run = try Program.run(
            ["-c", line, "bash", "taffrail"] + words, of: "bash",
            environment: ["PATH": Program.products + ":/usr/local/bin:/usr/bin:/bin"])
        #expect(run.output == wanted + "\n", "\(run.errors)")
    }

    @Test(arguments: [("zsh", "_files"), ("fish", " -rF")])
    func `zsh and fish complete files, and ask the command for the rest`(shell: String, files: String) throws {
        let script = try Program.run(["--generate-completion-script", shell]).output
        #expect(script.contains(files) && script.contains("---completion recordings info"))
    }

    @Test(
        .enabled(if: Program.areThere("dpkg-deb", "dpkg-shlibdeps", "strip"), "dpkg-dev or binutils is not installed"))
    func `a Debian package installs in a clean root, and its command, configuration and service work`() async throws {
        // What dpkg-deb compresses with by default takes more than a minute of processor time for a build with everything.
        let quickly = ["DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"]
        let made = try await blocking {
            try self.script("deb", Self.binary, self.folder.file("out"), environment: quickly)
        }
        #expect(made.code == 0, "\(made.errors)")
        let package = made.output.split(separator: "\n").last.map(String.init) ?? ""
        let root = folder.file("root")
        for name in ["info", "updates"] {
            try FileManager.default.createDirectory(
                atPath: root + "/var/lib/dpkg/" + name, withIntermediateDirectories: true)
        }
        try folder.write("", to: "root/var/lib/dpkg/status")
        try #require(getuid() == 0, "only root can install a package")
        let installed = try await Program.run(["--root=" + root, "--force-depends", "-i", package], of: "dpkg")
        #expect(installed.code == 0, "\(installed.errors)")
        let command = root + "/usr/bin/taffrail"
        #expect(try await Program.run(["--version"], of: command).code == 0)
        let unit = folder.text("root/lib/systemd/system/taffrail.service")
        let start = try #require(unit.firstMatch(of: /ExecStart=(.*)/)?.output.1)
        #expect(start == "/usr/bin/taffrail run --config /etc/taffrail/taffrail.yaml")
        let example = root + "/usr/share/doc/taffrail/examples/taffrail.yaml"
        #expect(try await Program.run(["check", example], of: command).output == "ok\n")
        try await runs(String(start).replacing("/etc/taffrail/taffrail.yaml", with: example), below: root)
        if ServiceTests.hasAnalyze {
            try folder.write(unit.replacing("/usr/bin/taffrail", with: command), to: "taffrail.service")
            let verified = try await Program.run(["verify", folder.file("taffrail.service")], of: ServiceTests.analyze)
            #expect(verified.code == 0 && verified.errors.isEmpty, "\(verified)")
        } else {
            print("systemd-analyze is not installed: the package's unit is not verified")
        }
        guard let lintian = Program.path("lintian") else {
            return print("lintian is not installed: what it thinks of the package is not checked")
        }
        let judged = try await Program.run(["--fail-on", "error,warning", package], of: lintian)
        #expect(judged.code == 0, "\(judged.output)")
    }

    /// Runs the line of a unit as systemd does, until it is ready, and ends it.
    private func runs(_ line: String, below root: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        let socket = try DatagramSocket(folder.file("notify"))
        let service = try Program(
            Array(words.dropFirst()), of: root + words[0], in: folder,
            environment: [
                "NOTIFY_SOCKET": folder.file("notify"), "STATE_DIRECTORY": folder.path, "LOGS_DIRECTORY": folder.path,
            ])
        #expect(await eventually { socket.datagrams.contains("READY=1") }, "\(folder.text("errors"))")
        service.send(SIGTERM)
        #expect(await service.wait() == 0, "\(folder.text("errors"))")
    }
}
#endif
