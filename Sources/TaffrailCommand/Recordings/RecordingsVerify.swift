#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// `taffrail recordings verify [NAME…]`.
struct RecordingsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check recordings completely and report problems.",
        discussion: "The exit status is 65 if there are any.")
    @Argument(
        help: ArgumentHelp("The recordings, by name or path (default: all).", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String] = []
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var areIntact = true
        var answers: [String] = []
        let names = names.isEmpty ? try flags.manager().listRecordings().map(\.name) : names
        let code = RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            let report = try manager.verifyRecording(name: name)
            areIntact = areIntact && report.isIntact
            answers.append(flags.format == .json ? Self.json(name, report) : Self.text(name, report))
        }
        RecordingsAnswer.show(answers, flags.format)
        if let code { throw code }
        guard areIntact else { throw ExitCode.dataError }
    }

    private static func text(_ name: String, _ report: RecordingReport) -> String {
        let counts =
            CountText.text(report.events, "event") + ": " + CountText.text(report.locations, "position") + ", "
            + CountText.text(report.errors, "error") + ", " + CountText.text(report.logs, "log")
        guard !report.isIntact else { return "\(name): intact, \(counts)" }
        let problems = report.problems.map { problem in
            let offset = problem.offset.map { "byte \($0): " } ?? ""
            return "\(name)\(problem.line.map { ":\($0)" } ?? ""): \(offset)\(problem.description)"
        }
        return (problems + ["\(name): \(report.isDamaged ? "damaged" : "invalid"), \(counts)"]).joined(
            separator: "\n")
    }

    private static func json(_ name: String, _ report: RecordingReport) -> String {
        var object = JSONObject()
        object.add("name", name)
        object.add("isWhole", report.isIntact)
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
#endif
