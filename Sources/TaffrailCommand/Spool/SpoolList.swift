#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailText

/// `taffrail spool list`.
struct SpoolList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Count the queued records of each spool.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (name, spool) in try choice.inspections() {
            let summary: SpoolInspection.Summary
            do throws(SystemError) { summary = try spool.summary() } catch {
                throw ExitCode.inputOutput.reporting(error)
            }
            print("\(name)")
            print("  directory     \(spool.directory)")
            print(
                "  waiting       \(CountText.text(summary.records, "record")), \(SizeText.string(Int64(summary.bytes)))"
            )
            print("  segments      \(summary.segments)")
            if let oldest = summary.oldest { print("  oldest        \(Timestamp(nanoseconds: oldest))") }
            if let newest = summary.newest { print("  newest        \(Timestamp(nanoseconds: newest))") }
            if summary.losses > 0 { print("  damaged       \(CountText.text(summary.losses, "record"))") }
            if summary.deadLetters > 0 { print("  dead letters  \(summary.deadLetters)") }
            if summary.failures > 0 {
                print(
                    "  failures      \(summary.failures) in a row, next attempt \(Timestamp(nanoseconds: summary.notBefore))"
                )
            }
        }
    }
}
#endif
