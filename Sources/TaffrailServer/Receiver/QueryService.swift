internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// Answers `GET /api/…` on separate threads, because stores block.
final class QueryService: Sendable {
    private let api: LogAPI
    private let time: Duration
    /// The number of running queries: for lists of records, and others, which may take longer.
    private let running = Locked([false: 0, true: 0])

    /// The maximum number of running queries of each kind.
    static let most = 8

    /// The paths of lists.
    private static let lists: Set = ["/api/records", "/api/around"]

    /// - Parameter time: The time limit of an answer.
    init(_ api: LogAPI, time: Duration = .seconds(10)) {
        self.api = api
        self.time = time
    }

    /// Answers a request; a query ends soon after its client disconnects, and when the task is cancelled.
    func answer(_ request: ServerRequest) async throws(Problem) -> ServerAnswer {
        guard LogAPI.paths.contains(request.target.path) else { throw Problem.notFound }
        let isList = Self.lists.contains(request.target.path)
        let isAdmitted = running.withLock { running in
            guard running[isList, default: 0] < Self.most else { return false }
            running[isList, default: 0] += 1
            return true
        }
        guard isAdmitted else { throw Problem(503, "too many queries are running", retryAfter: .seconds(1)) }
        defer { running.withLock { $0[isList, default: 1] -= 1 } }
        let budget = QueryBudget(time)
        request.connection?.whenClosed { budget.cancel() }
        defer { request.connection?.whenClosed(nil) }
        let (path, parameters) = (request.target.path, request.target.query)
        let found: APIAnswer? = await withTaskCancellationHandler {
            await DedicatedThread.value { [api] in
                api.answer(path: path, parameters: parameters, budget: budget)
            } ?? nil
        } onCancel: {
            budget.cancel()
        }
        guard let found else { throw .outOfThreads }
        var answer = ServerAnswer(found.status, found.contentType, found.body)
        if let time = found.retryAfter { answer.headers.append(("retry-after", "\(time.components.seconds)")) }
        if let next = found.next { answer.headers.append(("taffrail-next", next)) }
        return answer
    }
}
