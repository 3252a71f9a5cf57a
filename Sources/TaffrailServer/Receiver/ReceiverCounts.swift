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
        var requests = PrometheusText("receiver_requests_total", .counter, "Answered requests, by status.")
        for (status, count) in state.answers.sorted(by: { $0.key < $1.key }) {
            requests.add([("status", "\(status)")], count)
        }
        var records = PrometheusText("receiver_records_total", .counter, "Records that were accepted.")
        records.add([], state.records)
        var withheld = PrometheusText(
            "receiver_withheld_total", .counter,
            "Records that the configuration kept out of the queue, not counted as accepted.")
        withheld.add([], state.withheld)
        var truncated = PrometheusText("receiver_truncated_total", .counter, "Accepted records that were truncated.")
        truncated.add([], state.truncated)
        var ignored = PrometheusText(
            "receiver_ignored_total", .counter, "Objects in request bodies that are not records.")
        ignored.add([], state.ignored)
        var tokens = PrometheusText("receiver_token_requests_total", .counter, "Requests, by token and action.")
        for use in uses { tokens.add([("token", use.token), ("action", use.action)], use.count) }
        var watchers = PrometheusText("receiver_watching", .gauge, "Clients that watch the log.")
        watchers.add([], watching)
        return [requests, records, withheld, truncated, ignored, tokens, watchers].map(\.text).joined()
    }
}
