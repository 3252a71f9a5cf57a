#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// `taffrail spool retry`.
struct SpoolRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue dead letters again, for the running program or the next run.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (name, spool) in try choice.inspections() {
            do throws(SystemError) {
                let count = try DeadLetters.retry(in: spool.directory)
                print("\(name): \(CountText.text(count, "dead letter")) will be sent again")
            } catch {
                StandardStream.report(
                    error.isTaken ? "\(name): earlier dead letters are still waiting to be sent" : "\(error)")
                throw ExitCode.temporaryFailure
            }
        }
    }
}
#endif
