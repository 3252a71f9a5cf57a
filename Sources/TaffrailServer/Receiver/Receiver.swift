package import Taffrail
package import TaffrailGeo
package import TaffrailQuery
internal import TaffrailText

/// Logs the records of requests into a pipeline.
///
/// The status 200 confirms that the records are in the queue, which survives SIGKILL. If the queue is full, or only in
/// memory, the status is 503: the client keeps the records and sends them again.
package final class Receiver: ServerApplication {
    /// The limits and permissions of a receiver.
    package struct Settings: Sendable {
        /// Whether clients connect with TLS only.
        package var isSecure = false
        /// The tokens; `nil`: none are required.
        package var tokens: TokenFile?
        /// The access of clients if no tokens are required.
        package var anonymous = Access.all
        /// The device of this program's records without one; empty: none.
        package var device = ""
        /// The host names by which browsers may access it.
        package var origin = RequestOrigin(hosts: [])
        /// The maximum size of a body, in bytes.
        package var bodyLimit = 16 << 20
        /// Whether records and recordings are accepted.
        package var isReceiving = true
        /// Whether to refuse records while the queue is in memory.
        package var isDurable = true
        /// The directory of uploaded recordings; `nil`: none are accepted.
        package var recordings: String?
        /// The interface to stored records; `nil`: there are no stores.
        package var queries: LogAPI?
        /// The pages that query the stores; unused without stores.
        package var viewer = Viewer()
        /// The configured places that the map shows.
        package var places: [NamedPlace] = []
        /// How long a request waits for space in the queue.
        package var patience = Duration.seconds(2)
        /// The monotonic time in nanoseconds.
        package var now: @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }

        /// Creates settings.
        package init() {}
    }

    let pipeline: Pipeline
    let settings: Settings
    private let recent = RecentPings()
    private let counts = ReceiverCounts()
    private let intake: RecordIntake
    private let uploads: RecordingUploads?
    private let live: LiveRecords
    let gate: Gatekeeper
    let audit = AccessAudit()
    private let queries: QueryService?
    /// The number of commands that run or wait, each on a thread.
    private let controls = Locked(0)
    private static let controlLimit = 8
    /// When a refusal may be logged again, by the monotonic clock.
    private let nextReport = Locked(Int64.min)

    /// Creates a receiver.
    package init(_ settings: Settings, into pipeline: Pipeline) {
        self.settings = settings
        self.pipeline = pipeline
        intake = RecordIntake(pipeline, settings, counts)
        uploads = settings.recordings.map { RecordingUploads($0) }
        gate = Gatekeeper(settings.tokens, anonymous: settings.anonymous)
        live = LiveRecords(of: pipeline, device: settings.device)
        queries = settings.queries.map { QueryService($0) }
    }

    package func answered(_ status: Int) { counts.answered(status) }

    package func end() { live.end() }

    package func route(_ request: ServerRequest) throws(Problem) -> ServerRoute {
        var client: Access?
        do throws(Problem) {
            try settings.origin.check(request)
            let access = try gate.access(of: request)
            client = access
            // Without a token, the response does not disclose whether a path exists.
            guard access != nil || ReceiverAction.isOpen(request) else {
                if Self.isPage(request) { return redirect(toLoginFrom: request) }
                throw Problem(401, "a token is needed")
            }
            if settings.queries != nil, let page = settings.viewer.route(request) { return page }
            let action = try ReceiverAction.of(request)
            if action.role == .ingest, !settings.isReceiving {
                throw Problem(403, "this server is read-only: it shows records stored by collectors")
            }
            // Any page can make a browser send such a request, with a stored password.
            if case .osmand = action, request.method != "POST" { try RequestOrigin.checkWrite(request) }
            if let role = action.role, !(access ?? .all).roles.contains(role) {
                throw Problem(403, gate.needsTokens ? "the token does not allow this" : "this requires a token_file")
            }
            if let access, action != .control {
                note(
                    access, action.rawValue, request, isLoggedEachTime: action.isLoggedEachTime,
                    isLogin: action.isLoggedEachTime)
            }
            return ServerRoute(bodyLimit: action.bodyLimit(largest: settings.bodyLimit)) { [self] request in
                await perform(action, request, access ?? .all)
            }
        } catch {
            if [401, 403, 421, 429].contains(error.status) { reportRefusal(error, of: request, client) }
            var problem = error
            problem.isForScript = request.header("sec-fetch-mode") != nil && !Self.isPage(request)
            throw problem
        }
    }

    /// Logs a refusal, at most one every ten seconds. Does not wait while the queue is full, unlike a log call.
    func reportRefusal(_ problem: Problem, of request: ServerRequest, _ access: Access? = nil) {
        let now = SystemClock.monotonicNanoseconds()
        let isDue = nextReport.withLock { next in
            guard now >= next else { return false }
            next = now + 10_000_000_000
            return true
        }
        guard isDue else { return }
        var attributes = [
            LogValueEntry("http.response.status_code", .int(Int64(problem.status))),
            LogValueEntry("http.request.method", .string(request.method)),
            LogValueEntry("url.path", .string(request.target.path)),
        ]
        if let label = access?.label, !label.isEmpty {
            attributes.append(LogValueEntry("taffrail.access.token", .string(label)))
        }
        if let address = request.connection?.address, !address.isEmpty {
            attributes.append(LogValueEntry("client.address", .string(address)))
        }
        _ = pipeline.logger.offer(
            LogRecord(
                level: .warning, message: "refused a request: \(problem.detail)", attributes: attributes,
                logger: AccessAudit.logger))
    }

    /// Logs the use of a token if it is due.
    func note(
        _ access: Access, _ action: String, _ request: ServerRequest, isLoggedEachTime: Bool, isLogin: Bool = false,
        _ details: [LogValueEntry] = []
    ) {
        guard
            let record = audit.note(
                access, action, request, isLoggedEachTime: isLoggedEachTime, isLogin: isLogin, details)
        else {
            return
        }
        _ = pipeline.logger.offer(record)
    }

    // MARK: Actions

    private func perform(_ action: ReceiverAction, _ request: ServerRequest, _ access: Access) async -> ServerAnswer {
        let arrival = Arrival(device: access.device, memory: request.memory)
        do throws(Problem) {
            switch action {
            case .ping:
                let record = try PingBody(request.body).record(arrival)
                _ = try await intake.take(ReceivedRecords(records: [record]), request, access)
                // As in the queue: without the values that redacted keys and guards keep out of it. Processors, such as
                // patterns and filters, apply to sinks only.
                if let ping = pipeline.reviewed(record).flatMap(PingBody.json) { recent.add(ping) }
                return .json("{\"ok\":true}")
            case .lines:
                let result = try await intake.take(try LinesBody.read(request.body, arrival), request, access)
                return .json("{\"accepted\":\(result.accepted),\"truncated\":\(result.truncated)}")
            case .owntracks:
                let received = try OwnTracksBody.read(
                    request.body, user: request.header("x-limit-u") ?? request.target.parameter("u"),
                    device: request.header("x-limit-d") ?? request.target.parameter("d"), arrival)
                _ = try await intake.take(received, request, access)
                return .json("[]")
            case .overland:
                _ = try await intake.take(try OverlandBody.read(request.body, arrival), request, access)
                return .json("{\"result\":\"ok\"}")
            case .osmand:
                _ = try await intake.take(try osmand(request, arrival), request, access)
                return ServerAnswer(200)
            case .recording: return try await upload(request, access)
            case .recentPings: return try recentPings(request)
            case .live: return try watch(request, access)
            case .loginPage: return loginPage(request)
            case .start:
                guard Self.isPage(request) else { throw Problem.notFound }
                return StartPage.answer(csrf: gate.session(of: request)?.csrf)
            case .login: return logIn(request)
            case .logout: return try logOut(request)
            case .session: return session(request, access)
            case .control: return try await control(request, access)
            case .controls: return ControlRequest.instances(of: pipeline)
            case .losses: return await onThread { [pipeline] _ in LossList.answer(of: pipeline) }
            case .places:
                return await onThread { [pipeline, settings] _ in
                    PlaceList(settings.places, of: pipeline).answer(for: access)
                }
            case .query:
                guard let queries else { throw Problem(404, "no store is configured; see the option log_store") }
                return try await queries.answer(request)
            case .health: return health
            case .metrics:
                let text = counts.text(watching: live.clients, uses: audit.counts)
                return ServerAnswer(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
            case .otlp: return await takeOTLP(request, access, arrival)
            }
        } catch {
            return error.answer
        }
    }

    private func takeOTLP(_ request: ServerRequest, _ access: Access, _ arrival: Arrival) async -> ServerAnswer {
        let isJSON = request.mediaType == "application/json"
        let reply = OTLPReply(isJSON: isJSON)
        do throws(Problem) {
            guard isJSON || request.mediaType == "application/x-protobuf" else {
                throw Problem(415, "the content type must be application/x-protobuf or application/json")
            }
            let received =
                isJSON
                ? try OTLPJSONBody.read(request.body, arrival) : try OTLPProtobufBody.read(request.body, arrival)
            let result = try await intake.take(received, request, access)
            guard result.truncated > 0 else { return reply.success() }
            let records = CountText.text(result.truncated, "record was", "records were")
            return reply.success(warning: "\(records) truncated: too long for the queue, or too many attributes")
        } catch {
            return reply.failure(error)
        }
    }

    private func osmand(_ request: ServerRequest, _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        if request.mediaType == "application/json" { return try OsmAndBody.read(json: request.body, arrival) }
        return try OsmAndBody.read(form: request.body, after: request.target.query, arrival)
    }

    /// Answers on a separate thread, because file access blocks.
    private func onThread(
        _ answer: @escaping @Sendable (_ isCancelled: () -> Bool) -> ServerAnswer
    ) async -> ServerAnswer {
        let isCancelled = Locked(false)
        return await withTaskCancellationHandler {
            await DedicatedThread.value { answer { isCancelled.withLock { $0 } } } ?? Problem.outOfThreads.answer
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func upload(_ request: ServerRequest, _ access: Access) async throws(Problem) -> ServerAnswer {
        guard let uploads else { throw Problem(404, "no recordings are accepted; see the option recordings") }
        return await onThread { uploads.answer(request, device: access.device, isCancelled: $0) }
    }

    private func control(_ request: ServerRequest, _ access: Access) async throws(Problem) -> ServerAnswer {
        let control = try ControlRequest(request)
        note(
            access, ReceiverAction.control.rawValue, request, isLoggedEachTime: !control.isReading, isLogin: false,
            [
                LogValueEntry("taffrail.access.plugin", .string(control.instance)),
                LogValueEntry("taffrail.access.command", .string(control.command.name)),
            ])
        guard
            controls.withLock({ count in
                guard count < Self.controlLimit else { return false }
                count += 1
                return true
            })
        else { throw Problem(503, "too many commands are waiting", retryAfter: .seconds(1)) }
        let run = CommandRun(
            whenEnded: { [self] in controls.withLock { $0 -= 1 } },
            { [pipeline] in control.answer(of: pipeline) })
        return await run.answer()
    }

    private var health: ServerAnswer {
        guard settings.isDurable && intake.durableRing == nil else { return .json("{\"status\":\"ok\"}") }
        var answer = ServerAnswer.json("{\"status\":\"unavailable\"}", status: 503)
        answer.headers.append(("retry-after", "10"))
        return answer
    }

    private func recentPings(_ request: ServerRequest) throws(Problem) -> ServerAnswer {
        var limit = RecentPings.limit
        if let text = request.target.parameter("limit") {
            guard let number = Int(text), number > 0 else { throw .bad("limit must be at least 1") }
            limit = min(number, limit)
        }
        return ServerAnswer(200, "application/json", recent.json(limit: limit))
    }

    private func watch(_ request: ServerRequest, _ access: Access) throws(Problem) -> ServerAnswer {
        let selection = try LiveSelection(request.target.query)
        guard request.method != "HEAD" else { return ServerAnswer(200, ServerStream.mediaType) }
        return try LiveClient(
            of: live, selection, after: request.header("last-event-id"), owner: LiveOwner(access, request),
            isAllowed: gate.readability(of: request)
        ).answer
    }
}
