internal import Taffrail
internal import TaffrailReading

/// The lost records in the ledger next to the receiver's log, for the timeline of the viewer. Records that were dropped
/// as configured do not count as lost.
enum LossList {
    /// The maximum number of entries in a response, the newest ones.
    private static let limit = 1_000

    /// Reads the ledger. Blocks.
    static func answer(of pipeline: Pipeline) -> ServerAnswer {
        var losses: [LogValue] = []
        if let directory = pipeline.runState?.directory {
            do throws(SinkError) {
                let drops = try Ledger.read(directory: directory).drops.filter { !$0.reason.isIntended }
                    .sorted { $0.time < $1.time }
                losses = drops.suffix(limit).map(Self.value)
            } catch {
                Diagnostics.report("the ledger cannot be read: \(error.reason)")
                return Problem(503, "the ledger cannot be read").answer
            }
        }
        return .json([LogValueEntry("losses", .array(losses))])
    }

    private static func value(of drop: Ledger.Drop) -> LogValue {
        .map([
            LogValueEntry("time", .date(drop.time)), LogValueEntry("count", .int(Int64(clamping: drop.count))),
            LogValueEntry("reason", .string(drop.reason.rawValue)), LogValueEntry("sink", .string(drop.sink)),
        ])
    }
}
