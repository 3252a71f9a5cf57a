internal import Taffrail
internal import TaffrailText

/// The counts of a receiver since it was created.
final class ReceiverCounts: Sendable {
    private struct State {
        var answers: [Int: Int] = [:]
        var records = 0
        var withheld = 0
        var truncated = 0
        var ignored = 0
    }

    private let state = Locked(State())

    /// Counts a response.
    func answered(_ status: Int) { state.withLock { $0.answers[status, default: 0] += 1 } }

    /// Counts the records of a request.
    func took(_ taken: Taken) {
        state.withLock { state in
            state.records += taken.queued
            state.withheld += taken.withheld
            state.truncated += taken.truncated
        }
    }

    /// Counts objects that are not records.
    func ignored(_ number: Int) { state.withLock { $0.ignored += number } }

    /// The numbers of a request's records, by outcome.
    struct Taken {
        var queued = 0
        var withheld = 0
        var truncated = 0
    }

    /// Returns the counts in the text format of Prometheus.
    ///
    /// - Parameters:
    ///   - watching: The number of clients that watch the log.
    ///   - uses: The requests by token and action.
    func text(watching: Int, uses: [(token: String, action: String, count: Int)] = []) -> String {
        let state = state.withLock { $0 }
        var text = ""
        func add(_ name: String, _ help: String, _ values: [(label: String, value: Int)], type: String = "counter") {
            text += "# HELP taffrail_receiver_\(name) \(help)\n# TYPE taffrail_receiver_\(name) \(type)\n"
            for (label, value) in values { text += "taffrail_receiver_\(name)\(label) \(value)\n" }
        }
        add(
            "requests_total", "Answered requests, by status.",
            state.answers.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", $0.value) })
        add("records_total", "Records that were accepted.", [("", state.records)])
        add(
            "withheld_total", "Records that the configuration kept out of the queue, not counted as accepted.",
            [("", state.withheld)])
        add("truncated_total", "Accepted records that were truncated.", [("", state.truncated)])
        add("ignored_total", "Objects in request bodies that are not records.", [("", state.ignored)])
        add(
            "token_requests_total", "Requests, by token and action.",
            uses.map { ("{token=\"\(PrometheusText.escaped($0.token))\",action=\"\($0.action)\"}", $0.count) })
        add("watching", "Clients that watch the log.", [("", watching)], type: "gauge")
        return text
    }
}
