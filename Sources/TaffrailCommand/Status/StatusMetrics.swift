#if Command
internal import Taffrail
internal import TaffrailReading
internal import TaffrailText

/// A status in the text format of Prometheus.
struct StatusMetrics {
    private let reports: [StatusReport]

    init(_ reports: [StatusReport]) { self.reports = reports }

    /// All metrics that have samples, with their help and type.
    var text: String {
        (queues + sinks + endings).filter { !$0.isEmpty }.map(\.text).joined()
    }

    private func labels(_ queue: StatusReport.Queue, _ report: StatusReport) -> [(String, String)] {
        [("directory", report.directory), ("log", queue.status.destination), ("run", "\(queue.status.run)")]
    }

    private var queues: [PrometheusText] {
        var state = PrometheusText("run_state", .gauge, "1 for the state of a run's queue, 0 for the others.")
        var capacity = PrometheusText("queue_capacity_bytes", .gauge, "Capacity for records in a run's queue.")
        var depth = PrometheusText(
            "queue_depth_bytes", .gauge, "Bytes in a run's queue that some sink has not written.")
        var records = PrometheusText("records_total", .counter, "Records that a run has numbered.")
        var filtered = PrometheusText("records_filtered_total", .counter, "Records that processors have dropped.")
        var dropped = PrometheusText("records_dropped_total", .counter, "Records that did not enter a run's queue.")
        for report in reports {
            for queue in report.memoryQueues {
                let labels = [("directory", report.directory), ("log", ""), ("run", "\(queue.run)")]
                for health in StatusReport.Health.allCases where health != .idle {
                    state.add(labels + [("state", health.rawValue)], health == .running ? 1 : 0)
                }
            }
            for queue in report.queues {
                let labels = labels(queue, report)
                for health in StatusReport.Health.allCases where health != .idle {
                    state.add(labels + [("state", health.rawValue)], queue.health == health ? 1 : 0)
                }
                capacity.add(labels, queue.status.capacity)
                depth.add(labels, queue.status.depth)
                records.add(labels, queue.status.records)
                filtered.add(labels, queue.status.filtered)
                for (reason, levels) in queue.status.droppedByReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    for level in Level.allCases {
                        guard let count = levels[level] else { continue }
                        dropped.add(labels + [("reason", reason.rawValue), ("level", level.name)], count)
                    }
                }
            }
        }
        return [state, capacity, depth, records, filtered, dropped]
    }

    private var sinks: [PrometheusText] {
        var written = PrometheusText("sink_written_total", .counter, "Records that a sink has written.")
        var pending = PrometheusText("sink_behind_bytes", .gauge, "Bytes of records that a sink has yet to write.")
        var lost = PrometheusText("sink_lost_total", .counter, "Records that a sink has lost.")
        var filtered = PrometheusText("sink_filtered_total", .counter, "Records withheld by a sink's filter.")
        for report in reports {
            for queue in report.queues {
                for sink in queue.status.sinks {
                    let labels = labels(queue, report) + [("sink", sink.name)]
                    written.add(labels, sink.written)
                    pending.add(labels, sink.behind)
                    lost.add(labels, sink.lost)
                    filtered.add(labels, sink.filtered)
                }
            }
        }
        return [written, pending, lost, filtered]
    }

    private var endings: [PrometheusText] {
        var runs = PrometheusText("ended_runs", .gauge, "Ended runs in the ledger.")
        var records = PrometheusText("ended_records", .gauge, "Records of ended runs in the ledger.")
        var dropped = PrometheusText(
            "ended_records_dropped", .gauge, "Records missing from ended runs, according to the ledger.")
        for report in reports {
            let labels = [("directory", report.directory)]
            runs.add(labels, report.endings.count)
            records.add(labels, report.endings.reduce(UInt64(0)) { $0 &+ $1.ending.records })
            let reasons = Dictionary(grouping: report.ledger.drops, by: \.reason)
            for (reason, drops) in reasons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                dropped.add(
                    labels + [("reason", reason.rawValue)], drops.reduce(UInt64(0)) { $0 &+ $1.count })
            }
        }
        return [runs, records, dropped]
    }
}
#endif
