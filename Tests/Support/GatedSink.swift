internal import Foundation
package import Taffrail

/// A sink whose `write` blocks while its gate is closed.
package final class GatedSink: Sink, @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false
    private var passes = 0
    private var entered = 0
    private var taken: [LogRecord] = []

    package init() {}

    package func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var records: [LogRecord] = []
        batch.forEach { records.append(LogRecord($0)) }
        condition.lock()
        defer { condition.unlock() }
        // The pipeline's own first record may arrive in a batch without the test's records.
        if records.contains(where: { $0.message != "Logger initialized" }) {
            entered += 1
            condition.broadcast()
            while !isOpen && passes == 0 { condition.wait() }
            if !isOpen { passes -= 1 }
        }
        taken += records
    }

    /// Lets all batches through from now on.
    package func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    /// Lets one more batch through.
    package func pass() {
        condition.withLock {
            passes += 1
            condition.broadcast()
        }
    }

    /// Waits until the writer has reached the gate.
    package func waitForWriter() {
        condition.withLock { while entered == 0 { condition.wait() } }
    }

    package var records: [LogRecord] { condition.withLock { taken } }

    /// The messages except Taffrail's own.
    package var messages: [String] { records.filter { $0.logger != "taffrail" }.map(\.message) }
}

extension [LogRecord] {
    /// The drops reported by the records `dropped N records`, by level.
    package var reportedDrops: [Level: Int] {
        var drops: [Level: Int] = [:]
        for record in self where record.logger == "taffrail" {
            for level in Level.allCases {
                if case .int(let count)? = record["taffrail.dropped.\(level.name)"] {
                    drops[level, default: 0] += Int(count)
                }
            }
        }
        return drops
    }
}
