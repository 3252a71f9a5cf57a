#if HTTP
import Glibc
import Taffrail
import TaffrailAdaptivePinger
import TaffrailDelivery
import TaffrailGeo

/// Logs positions that are all pinged, and forks a child that logs others: the spool is the parent's, and the child's queue keeps
/// its positions.
struct PingerFork {
    private let pipeline: Pipeline
    private let spool: String

    /// - Parameters:
    ///   - options: The file's; the spool is `spool` beside it.
    ///   - endpoint: Where pings are sent.
    init(_ options: FileOptions, endpoint: String) throws {
        let directory = options.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        var pings = AdaptivePingerOptions()
        pings.endpoint = endpoint
        pings.deviceID = "boat"
        pings.policy.settings.night = nil
        spool = directory + "/spool"
        pings.spool.directory = spool
        pings.drain = .zero
        pipeline = Pipeline(
            sinks: [
                try FileSink(options),
                AdaptivePingerSink(
                    pings, instance: PluginInstance(name: "pinger", logDirectory: directory, program: "subject")),
            ], queue: QueueOptions())
    }

    /// A position every twenty seconds, and a hundred metres from the one before.
    private func log(_ numbers: Range<Int>) {
        for number in numbers {
            var fix = Location(
                latitude: 55 + Double(number) / 1_000, longitude: 12,
                timestamp: Timestamp(nanoseconds: 1_767_610_800_000_000_000 + Int64(number) * 20_000_000_000))
            fix.horizontalAccuracy = 5
            fix.speed = 5
            GeoEvent.location(fix).log(into: pipeline)
        }
    }

    func run() {
        log(0..<40)
        pipeline.flush()
        // A thread that sends may hold a lock of Swift's runtime, which would stay locked in the child.
        for _ in 0..<6_000 where (try? SpoolInspection(spool).summary().records) != 0 { poll(nil, 0, 10) }
        let pid = taffrailForkForTests()
        if pid == 0 {
            log(1_000..<1_040)
            exit(0)
        }
        log(40..<80)
        var status: CInt = 0
        waitpid(pid, &status, 0)
        log(80..<120)
        exit(pipeline.shutdown() && status == 0 ? 0 : 9)
    }
}
#endif
