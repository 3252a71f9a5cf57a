internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Requests names from a server with Nominatim's API: one request at a time, at most one per second, and only for the
/// last coordinate that was looked up. May be used on any thread.
final class NominatimGeocoder: Sendable {
    /// An HTTP response.
    struct Response: Sendable {
        var status: Int
        /// The pause that the server requests; `nil`: none.
        var retryAfter: Duration?
        var body: [UInt8]
    }

    /// Fetches a URL.
    typealias Fetch = @Sendable (String) async throws -> Response

    private struct State {
        var cells = NominatimCells()
        /// The coordinate of the next request.
        var wanted: (coordinate: Coordinate, found: @Sendable () -> Void)?
        var task: Task<Void, Never>?
        var hasReported = false
    }

    private let address: String
    private let fetch: Fetch
    /// The time since the start.
    private let now: @Sendable () -> Duration
    /// Waits until a time after the start.
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - address: The server, such as `https://nominatim.example`.
    ///   - clock: A monotonic clock.
    init<C: Clock>(_ address: String, clock: C, fetch: @escaping Fetch) where C.Duration == Duration {
        self.address = address
        self.fetch = fetch
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Whether no request is running or pending.
    var isIdle: Bool { state.withLock { $0.task == nil } }

    /// Ends the running request. Later lookups start a new one.
    func cancel() {
        state.withLock { state in
            state.task?.cancel()
            state.wanted = nil
        }
    }

    /// Returns the names of a coordinate if its cell is cached. Otherwise requests them, unless another coordinate is
    /// looked up before the request is sent.
    ///
    /// - Parameter found: Called on any thread when the server has returned names, which are then cached.
    /// - Returns: `nil` if the names are not cached, or the server has none for the coordinate.
    func placemark(at coordinate: Coordinate, found: @escaping @Sendable () -> Void) -> Placemark? {
        guard coordinate.isValid else { return nil }
        return state.withLock { state in
            switch state.cells.knowledge(of: NominatimCells.Cell(coordinate), at: now()) {
            case .names(let names):
                state.wanted = nil
                return names
            case .nothing:
                state.wanted = nil
                return nil
            case nil:
                state.wanted = (coordinate, found)
                if state.task == nil { state.task = Task.detached { [weak self] in await self?.ask() } }
                return nil
            }
        }
    }

    // MARK: Requests

    /// Sends requests until no coordinate is wanted.
    private func ask() async {
        while let due = state.withLock({ state -> Duration? in
            if state.wanted == nil || Task.isCancelled {
                state.task = nil
                return nil
            }
            return state.cells.nextRequest
        }) {
            if due > now() { try? await sleep(due) }
            await askNext()
        }
    }

    private func askNext() async {
        let next = state.withLock { state in
            defer { state.wanted = nil }
            if state.wanted != nil { state.cells.begin(at: now()) }
            return state.wanted
        }
        guard let (coordinate, found) = next, !Task.isCancelled else { return }
        let (outcome, problem) = await outcome(of: coordinate)
        if Task.isCancelled { return }
        let isFirst = state.withLock { state in
            state.cells.end(NominatimCells.Cell(coordinate), outcome, at: now())
            defer { state.hasReported = problem != nil }
            return !state.hasReported
        }
        if let problem, isFirst { Diagnostics.report("geo-attributes: no names from \(address): \(problem)") }
        if case .known(.names) = outcome { found() }
    }

    private func outcome(of coordinate: Coordinate) async -> (NominatimCells.Outcome, problem: String?) {
        let response: Response
        do { response = try await fetch(url(of: coordinate)) } catch { return (.failed(after: nil), "\(error)") }
        let problem = "the status \(response.status)"
        switch response.status {
        case 200: break
        case 400, 404, 422: return (.unusable, problem)
        default: return (.failed(after: response.retryAfter.map { min($0, .days(1)) }), problem)
        }
        do {
            guard let names = try NominatimAnswer.placemark(response.body) else { return (.known(.nothing), nil) }
            return (.known(.names(names)), nil)
        } catch {
            return (.unusable, "its response is malformed: \(error.reason) at byte \(error.offset)")
        }
    }

    /// Returns the request for a coordinate, with the detail of settlements.
    private func url(of coordinate: Coordinate) -> String {
        let base = address.hasSuffix("/") ? String(address.dropLast()) : address
        // Four decimals are 11 m, which is precise enough for settlements.
        let latitude = DecimalText.string(coordinate.latitude, decimals: 4)
        let longitude = DecimalText.string(coordinate.longitude, decimals: 4)
        return "\(base)/reverse?format=jsonv2&addressdetails=1&zoom=14&lat=\(latitude)&lon=\(longitude)"
    }
}
