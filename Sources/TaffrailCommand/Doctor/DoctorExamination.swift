#if Command && Configuration
internal import Glibc
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailReading
internal import TaffrailText
#if Store
internal import TaffrailStore
#endif

/// Examines a program and its files from outside.
struct DoctorExamination {
    let file: String
    let plan: Plan
    /// Whether a running program uses this configuration: it answers on its control socket.
    let isRunning: Bool

    /// Queries the running programs.
    init(file: String, plan: Plan) {
        self.file = file
        self.plan = plan
        isRunning = ControlPath.isRunning(configuration: file, directories: plan.stateDirectories)
    }

    /// Returns the configured plugins of a kind.
    func plugins(_ kind: PluginInstance.Kind) -> [PlannedPlugin] {
        plan.plugins.map(\.plugin).filter { CommandPlugins.registry?[$0.plugin]?.kind == kind }
    }

    // MARK: Background

    var background: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if isRunning {
            findings.append(.fine(.background, "a running program uses \(file)"))
        } else {
            findings.append(
                .wrong(
                    .background, "no running program uses \(file)",
                    cause: "it was not started, has ended, or uses another configuration",
                    remedy: "taffrail run --config \(file), or as a service: systemctl enable --now taffrail"))
        }
        guard FileName.exists("/run/systemd/system"), let systemctl = ExternalProgram("systemctl") else {
            return findings
        }
        let state = (try? systemctl.output(["is-enabled", "taffrail.service"], input: []))?.bytes ?? []
        switch String(decoding: state, as: UTF8.self).split(separator: "\n").first ?? "" {
        case "enabled": findings.append(.fine(.background, "the service starts with the machine"))
        default:
            findings.append(
                .wrong(
                    .background, "the service does not start with the machine",
                    cause: "taffrail.service is not enabled", remedy: "systemctl enable --now taffrail"))
        }
        return findings
    }

    // MARK: Saving

    var saving: [DoctorFinding] {
        let sinks = plugins(.sink)
        guard sinks.contains(where: { !["console", "memory"].contains($0.plugin) }) else {
            let cause = sinks.isEmpty ? "no sink" : "only sinks that keep nothing"
            return [
                .wrong(
                    .saving, "nothing is saved", cause: "the configuration has \(cause)",
                    remedy: "add location-store: {} or file: {} to plugins")
            ]
        }
        var findings: [DoctorFinding] = []
        for sink in sinks {
            if sink.plugin == "journald" {
                findings.append(journal(sink))
                continue
            }
            let paths = sink.options.destinations(of: sink.instance).filter { $0.hasPrefix("/") }
            for path in paths {
                findings.append(
                    directory(Directory.parent(of: path) ?? "/", sink.name) ?? .fine(.saving, "\(sink.name): \(path)"))
            }
            #if Store
            if sink.plugin == "location-store" { findings += paths.flatMap { store($0, sink.name) } }
            #endif
        }
        for report in reports where report.health == .lossy || report.health == .waiting {
            findings.append(
                .wrong(
                    .saving, "\(report.directory): records wait for a sink, or are lost",
                    cause: "a sink fails: the program's errors name it, and taffrail status has counts",
                    remedy: "taffrail status \(report.directory); journalctl -u taffrail"))
        }
        return findings
    }

    /// Checks the socket of a sink `journald`, whose destination is that and an identifier.
    private func journal(_ sink: PlannedPlugin) -> DoctorFinding {
        let destination = sink.options.destinations(of: sink.instance).first ?? ""
        let socket = String(destination.prefix { $0 != " " })
        guard !FileName.exists(socket) else { return .fine(.saving, "\(sink.name): \(socket)") }
        return .wrong(
            .saving, "\(sink.name): \(socket) does not exist", cause: "systemd-journald does not run on this machine",
            remedy: "systemctl start systemd-journald, or use the sink file")
    }

    /// The least free space that a disk should have, in bytes.
    private static let leastSpace: Int64 = 32 << 20

    /// Returns the problem with the directory of a sink's files, if any.
    private func directory(_ path: String, _ sink: String) -> DoctorFinding? {
        // A missing directory will be created in the nearest parent that exists.
        var existing = path
        while !FileName.exists(existing), let parent = Directory.parent(of: existing), parent != existing {
            existing = parent
        }
        let failure = FileAccess.writing.error(at: existing)
        guard failure == 0 || isRunning else {
            return .wrong(
                .saving, "\(sink): \(existing) cannot be written",
                cause: failure == EROFS
                    ? "the file system is read-only" : "it belongs to another user",
                remedy: failure == EROFS
                    ? "mount -o remount,rw, and look for disk errors in the kernel's log"
                    : "run the program as its owner, or chown it")
        }
        guard let bytes = Directory.freeSpace(at: existing), bytes < Self.leastSpace else { return nil }
        return .wrong(
            .saving, "\(sink): \(existing) has \(bytes >> 20) MiB left", cause: "the disk is full, or nearly",
            remedy:
                "delete something, limit the history (keep: of location-store, rotate: of file), or use another disk")
    }

    #if Store
    private func store(_ path: String, _ sink: String) -> [DoctorFinding] {
        do throws(StoreError) {
            let reader = try StoreReader(path)
            guard let newest = try reader.newest() else {
                return [
                    .wrong(
                        .saving, "\(sink): the store has no positions", cause: "none arrived, or all have been deleted",
                        remedy: "see position, above")
                ]
            }
            return [.fine(.saving, "\(sink): \(try reader.count()) positions, the newest of \(newest.timestamp)")]
        } catch {
            let (cause, remedy): (String, String) =
                switch error.kind {
                case .missing: ("no position has been saved yet", "see position, above")
                case .denied: ("the store belongs to another user", "run this as its owner")
                case .corrupt:
                    (
                        "the file is damaged",
                        "the next start renames it to \(path).corrupt-TIME and creates a new one; see .recover in sqlite3"
                    )
                case .newer: ("it was written by a later version", "use that version")
                case .foreign: ("the path names another program's database", "set path: of \(sink)")
                default: ("it cannot be read", "look for disk errors in the kernel's log")
                }
            return [.wrong(.saving, "\(sink): \(error)", cause: cause, remedy: remedy)]
        }
    }
    #endif

    // MARK: Crashes

    private var reports: [StatusReport] {
        plan.stateDirectories.compactMap { directory in try? StatusReport.read(directory) }
    }

    var crashes: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for report in reports {
            let dead = report.queues.filter { $0.health == .dead }
            guard !dead.isEmpty else { continue }
            findings.append(
                .wrong(
                    .crashes,
                    "\(report.directory): \(CountText.text(dead.count, "program")) ended without writing all records",
                    cause: "it was killed (kill -9, out of memory), crashed, or the machine lost power: "
                        + "see journalctl -k and coredumpctl",
                    remedy: "the next start writes the remaining records, or "
                        + "taffrail recover \(report.directory) --config \(file)"))
        }
        for report in reports where !report.problems.isEmpty {
            findings.append(
                .wrong(
                    .crashes, "\(report.directory): \(report.problems[0])",
                    cause: "a file of the program's state is damaged",
                    remedy: "taffrail tail --verify \(report.directory) lists what is missing"))
        }
        return findings.isEmpty ? [.fine(.crashes, "no program has left records in its queue")] : findings
    }
}
#endif
