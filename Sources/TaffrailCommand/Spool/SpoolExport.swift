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
        var limit = Int.max
        var output = RecordOutput()
        for (_, spool) in try choice.inspections() { try output.print(spool, limit: &limit) }
    }
}
#endif
