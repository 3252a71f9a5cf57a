#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// `taffrail spool retry`.
struct SpoolRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue dead letters again, in the running program or for its next run.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (name, spool) in try choice.inspections() {
            do throws(SystemError) {
                print("\(name): \(try DeadLetters.retry(in: spool.directory)) dead letters will be sent again")
            } catch {
                StandardStream.complain(
                    error.isTaken ? "\(name): earlier dead letters still wait to be sent" : "\(error)")
                throw ExitCode.temporaryFailure
            }
        }
    }
}
#endif
