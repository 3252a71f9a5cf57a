#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// `taffrail recordings verify [NAME…]`.
struct RecordingsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check recordings completely and report problems.",
        discussion: "Exit code 65 if there are any.")
    @Argument(
        help: ArgumentHelp("The recordings, by name or path (default: all).", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String] = []
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var isWhole = true
        var answers: [String] = []
        let names = names.isEmpty ? try flags.manager().listRecordings().map(\.name) : names
        let code = try RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            let report = try manager.verifyRecording(name: name)
            isWhole = isWhole && report.isWhole
            answers.append(flags.format == .json ? Self.json(name, report) : Self.text(name, report))
        }
        if flags.format == .json {
            print("[\(answers.joined(separator: ",\n"))]")
        } else {
            for answer in answers { print(answer) }
        }
        if let code { throw code }
        guard isWhole else { throw ExitCode.dataError }
    }

    private static func text(_ name: String, _ report: RecordingReport) -> String {
        let counts =
            "\(report.events) events: \(report.locations) positions, \(report.errors) errors, \(report.logs) logs"
        guard !report.isWhole else { return "\(name): whole, \(counts)" }
        let problems = report.problems.map { problem in
            let offset = problem.offset.map { "byte \($0): " } ?? ""
            return "\(name)\(problem.line.map { ":\($0)" } ?? ""): \(offset)\(problem.description)"
        }
        return (problems + ["\(name): \(report.isDamaged ? "damaged" : "not right"), \(counts)"]).joined(
            separator: "\n")
    }

    private static func json(_ name: String, _ report: RecordingReport) -> String {
        var object = JSONObject()
        object.add("name", name)
        object.add("isWhole", report.isWhole)
        object.add("isDamaged", report.isDamaged)
        object.add("events", whole: report.events)
        object.add("locations", whole: report.locations)
        object.add("errors", whole: report.errors)
        object.add("logs", whole: report.logs)
        object.add(
            "problems",
            report.problems.map { problem in
                var object = JSONObject()
                object.add("description", problem.description)
                object.add("line", whole: problem.line)
                object.add("offset", whole: problem.offset)
                return object
            })
        return object.string
    }
}

/// `taffrail recordings repair [NAME…]`.
struct RecordingsRepair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Repair damaged recordings.",
        discussion: """
            Every readable event is kept, in chronological order; recordings may be compressed. If a byte was lost or an \
            event moved, the damaged file is kept as well.
            """)
    @Argument(
        help: ArgumentHelp(
            "The recordings, by name or path (default: all; intact ones are skipped).",
            valueName: "name"), completion: RecordingNames.completion)
    var names: [String] = []
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let all = names.isEmpty
        let names = all ? try flags.manager().listRecordings().map(\.name) : names
        var answers: [String] = []
        let code = try RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            let repair: RecordingRepair
            do throws(RecordingError) {
                repair = try manager.repairRecording(name: name)
            } catch {
                guard all && error.kind == .busy else { throw error }
                return StandardStream.complain("\(name) is being written; skipped")
            }
            if repair.wasWhole && all { return }
            answers.append(flags.format == .json ? Self.json(name, repair) : Self.text(name, repair))
        }
        if flags.format == .json {
            print("[\(answers.joined(separator: ",\n"))]")
        } else {
            for answer in answers { print(answer) }
        }
        if let code { throw code }
    }

    private static func text(_ name: String, _ repair: RecordingRepair) -> String {
        guard !repair.wasWhole else { return "\(name): was whole, \(repair.events) events" }
        let order = repair.wasOutOfOrder ? ", put in order" : ""
        let kept = repair.keptAs.map { ", the damaged file is kept as \($0)" } ?? ""
        return "\(name): repaired, \(repair.events) events, \(repair.bytesLost) bytes lost\(order)\(kept)"
    }

    private static func json(_ name: String, _ repair: RecordingRepair) -> String {
        var object = JSONObject()
        object.add("name", name)
        object.add("wasWhole", repair.wasWhole)
        object.add("events", whole: repair.events)
        object.add("bytesLost", whole: repair.bytesLost)
        object.add("wasOutOfOrder", repair.wasOutOfOrder)
        object.add("keptAs", known: repair.keptAs)
        return object.string
    }
}

/// Output of the commands about recordings.
enum RecordingsAnswer {
    /// Runs a body for each item, reports failures and continues.
    ///
    /// - Returns: The exit code of the first failure.
    static func each(_ names: [String], _ body: (String) throws(RecordingError) -> Void) -> ExitCode? {
        var code: ExitCode?
        for name in names {
            do throws(RecordingError) { try body(name) } catch {
                StandardStream.complain("\(error)")
                code = code ?? exitCode(error)
            }
        }
        return code
    }

    /// Does the same for recordings that are given by their names or paths.
    static func each(
        _ given: [String], of flags: RecordingsFlags,
        _ body: (RecordingManager, String) throws(RecordingError) -> Void
    ) throws -> ExitCode? {
        var code: ExitCode?
        for one in given {
            let (manager, name) = try flags.recording(one)
            let failure = each([name]) { name throws(RecordingError) in try body(manager, name) }
            code = code ?? failure
        }
        return code
    }

    private static func exitCode(_ error: RecordingError) -> ExitCode {
        switch error.kind {
        case .missing: .noInput
        case .taken: .cannotCreate
        case .malformed, .unsupportedVersion: .dataError
        case .denied, .full, .busy, .system: .inputOutput
        }
    }

    /// Prints a list.
    static func show(_ recordings: [RecordingInfo], _ format: AnswerFormat) {
        switch format {
        case .json: print("[\(recordings.map(json).joined(separator: ",\n"))]")
        case .text:
            for info in recordings {
                let size = RecordProgress.amount(Int(info.size))
                let state = info.isDamaged ? "damaged, \(size)" : "\(info.eventCount) events, \(size)"
                print(
                    "\(info.name)  \(RFC3339.string(info.start))  \(ClockText.string(truncating: info.duration))  \(state)"
                )
            }
        }
    }

    /// Returns one recording on several lines.
    static func details(_ info: RecordingInfo) -> String {
        var lines = [
            info.name, "  began     \(RFC3339.string(info.start))",
            "  lasted    \(ClockText.string(truncating: info.duration))",
            "  events    \(info.eventCount)", "  size      \(RecordProgress.amount(Int(info.size)))",
        ]
        if !info.device.isEmpty { lines.append("  device    \(info.device)") }
        if !info.systemVersion.isEmpty { lines.append("  system    \(info.systemVersion)") }
        if info.isDamaged { lines.append("  damaged   taffrail recordings repair \(info.name)") }
        return lines.joined(separator: "\n")
    }

    private static func json(_ info: RecordingInfo) -> String {
        var object = JSONObject()
        object.add("name", info.name)
        object.add("date", RFC3339.string(info.start))
        object.add("duration", info.duration)
        object.add("eventCount", whole: info.eventCount)
        object.add("size", whole: info.size)
        object.add("device", info.device)
        object.add("systemVersion", info.systemVersion)
        object.add("isDamaged", info.isDamaged)
        return object.string
    }
}
#endif
