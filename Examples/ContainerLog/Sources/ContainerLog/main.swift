import Taffrail
import TaffrailConsole

// Stdout is the log: a line of JSON for each record, which the container's runtime collects. The queue is in memory,
// since a container's file system is deleted with it.
try Pipeline.start(
    sinks: [.console(format: .json)], queue: QueueOptions(durable: false), level: .info, levels: ["orders": .debug])

struct Declined: Error, CustomStringConvertible {
    let description = "card declined"
}

let logger = Logger("orders").with(["service": "shop"])
for order in 1...3 {
    logger.debug("received", ["order": order])
    logger.info("accepted", ["order": order, "total": 12.5 * Double(order), "paid": order < 3])
}
logger.error("payment failed", error: Declined(), ["order": 3])

// SIGTERM drains the queue as well; this is for a program that ends by itself.
Pipeline.shared.shutdown()
