#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailReading

/// `taffrail doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why there are no positions, or why they are not saved.",
        discussion: """
            It checks, in this order, whether positions arrive, whether access is permitted, whether the program runs in the \
            background, whether its records are saved, and whether it has crashed; for each problem it prints a probable \
            cause and a remedy. It changes nothing. The exit status is 69 (unavailable) if there is a problem.

            Example:
              taffrail doctor --config /etc/taffrail/taffrail.yaml
            """)

    @Option(
        help: ArgumentHelp("The configuration (\(ConfigurationFlag.search)).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: ArgumentHelp("How long to wait for a position, such as 30s.", valueName: "duration"))
    var wait = "10s"

    func run() async throws {
        guard let timeout = DurationText.duration(wait), timeout >= .zero, timeout <= .hours(1) else {
            throw ValidationError("--wait \(wait): must be a duration such as 10s, at most 1h")
        }
        let (file, plan) = try ConfigurationFlag.requiredPlan(config)
        let examination = DoctorExamination(file: file, plan: plan)
        var findings = await DoctorPositions(examination, timeout: timeout).findings
        findings += examination.background
        findings += examination.saving
        findings += examination.crashes
        for finding in findings { for line in finding.lines { print(line) } }
        if findings.contains(where: { $0.problem != nil }) { throw ExitCode.unavailable }
    }
}
#endif
