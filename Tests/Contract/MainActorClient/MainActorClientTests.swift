import Synchronization
import Taffrail
import Testing

// A program with `defaultIsolation(MainActor.self)`: everything here is isolated to the main actor unless marked
// otherwise.

enum Side: String { case port, starboard }
extension Side: LogValueConvertible {}
struct Gate: CustomStringConvertible { let description = "gate" }
extension Gate: LogValueConvertible {}
struct Aground: Error {}
extension Aground: LogValueConvertible {}

struct Ferry {
    let logger: Logger
    var pier = 3

    func leave() {
        logger.info("left pier \(pier)", ["pier": pier, "side": Side.port, "gate": Gate(), "last": Aground()])
    }

    func cross() async {
        logger.notice("crossing")
        let logger = logger
        await Task.detached { logger.warning("fog") }.value
        await dock()
    }

    @concurrent func dock() async { logger.error("docked") }

    nonisolated func count(_ passengers: Int) { logger.debug("\(passengers) passengers") }
}

/// A sink defined by the program; the writer thread calls it.
nonisolated final class Messages: Sink {
    let name = "messages"
    let log: MessageLog

    init(_ log: MessageLog) { self.log = log }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        batch.forEach { record in
            let message = LogRecord(record).message
            log.messages.withLock { $0.append(message) }
        }
    }
}

nonisolated final class MessageLog: Sendable {
    let messages = Mutex<[String]>([])
}

@Suite struct MainActorClientTests {
    @Test func `a program of the main actor logs from everywhere`() async {
        let log = MessageLog()
        let pipeline = Pipeline(sinks: [Messages(log)], level: .debug)
        let ferry = Ferry(logger: pipeline.logger("ferry"))
        ferry.leave()
        await ferry.cross()
        ferry.count(12)
        #expect(pipeline.shutdown())
        let wanted = ["left pier 3", "crossing", "fog", "docked", "12 passengers"]
        #expect(log.messages.withLock { $0 } == wanted)
    }
}
