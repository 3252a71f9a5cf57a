#if Metrics
internal import CoreMetrics
internal import Taffrail
internal import TaffrailReading

extension PipelineMetrics {
    /// The metrics that exist, and the values that the counters have reported.
    struct State {
        private let factory: any MetricsFactory
        private var run: RingID?
        private var counters: [String: (counter: Counter, count: UInt64)] = [:]
        private var gauges: [String: Gauge] = [:]

        init(_ factory: any MetricsFactory) { self.factory = factory }

        /// Reports a queue, or that none is open.
        mutating func update(_ status: QueueStatus?) {
            guard let status else {
                if run != nil { gauge("queue_depth_bytes", [], 0) }
                return
            }
            if run != status.run {
                // A new queue counts from zero; positions do not depend on it.
                run = status.run
                for key in counters.keys where key != Self.positions { counters[key]?.count = 0 }
            }
            gauge("queue_capacity_bytes", [], Double(status.capacity))
            gauge("queue_depth_bytes", [], Double(status.depth))
            count("records_total", [], status.records)
            count("records_filtered_total", [], status.filtered)
            for (reason, levels) in status.droppedByReason {
                for (level, number) in levels {
                    count("records_dropped_total", [("reason", reason.rawValue), ("level", level.name)], number)
                }
            }
            for sink in status.sinks {
                let labels = [("sink", sink.name)]
                gauge("sink_behind_bytes", labels, Double(sink.behind))
                count("sink_written_total", labels, sink.written)
                count("sink_lost_total", labels, sink.lost)
                count("sink_filtered_total", labels, sink.filtered)
            }
        }

        /// Reports the positions of the program's inputs.
        mutating func update(positions: UInt64) { if positions > 0 { count(Self.positions, [], positions) } }

        private static let positions = "fixes_total"

        /// Sets a gauge.
        mutating func gauge(_ name: String, _ labels: [(String, String)], _ value: Double) {
            let key = Self.key(name, labels)
            if gauges[key] == nil {
                gauges[key] = Gauge(label: "taffrail_" + name, dimensions: labels, factory: factory)
            }
            gauges[key]?.record(value)
        }

        /// Raises a counter by the increase of a count since the last update.
        private mutating func count(_ name: String, _ labels: [(String, String)], _ value: UInt64) {
            let key = Self.key(name, labels)
            let known =
                counters[key]
                ?? (Counter(label: "taffrail_" + name, dimensions: labels, factory: factory), 0)
            // The count may be smaller: a slot may be assigned to another sink while it is read.
            let added = value >= known.count ? value &- known.count : value
            if added > 0 { known.counter.increment(by: Int64(clamping: added)) }
            counters[key] = (known.counter, value)
        }

        private static func key(_ name: String, _ labels: [(String, String)]) -> String {
            labels.reduce(into: name) { $0 += "\0" + $1.0 + "\0" + $1.1 }
        }
    }
}
#endif
