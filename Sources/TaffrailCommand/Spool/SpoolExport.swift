#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// `taffrail spool export`.
struct SpoolExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print all queued records as JSON lines; they stay in the spool.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (_, spool) in try choice.inspections() {
            var output = RecordOutput()
            var failure: SystemError?
            do throws(RecordOutput.Ending) {
                try spool.forEach { (record) throws(RecordOutput.Ending) in
                    try output.print(record)
                } failed: {
                    failure = $0
                }
            } catch {
                throw ExitCode.inputOutput
            }
            guard let failure else { continue }
            throw ExitCode.inputOutput.reporting("\(failure)")
        }
    }
}
#endif
