internal import Taffrail
internal import TaffrailText

/// Converts the parameters of a request `GET /api/…` to the bytes of its answer. It is independent of the HTTP server:
/// any server can pass requests to it, in a few lines.
///
/// A call blocks while the stores are read: do not call it on an event loop. Errors are returned as answers: problems
/// as in RFC 9457.
public struct LogAPI: Sendable {
    private let logs: @Sendable () throws(LogQueryError) -> any LogQuery
    private let tracks: (@Sendable () throws(LogQueryError) -> any TrackSource)?
    private let alerts: (@Sendable () throws(LogQueryError) -> [AlertStatus])?

    /// Creates an API.
    ///
    /// - Parameters:
    ///   - logs: The store of records; called for each request, so that the store may be created later.
    ///   - tracks: The store of positions; `nil` if there is none.
    ///   - alerts: Returns the current rules of alerts; `nil` if there are none.
    public init(
        logs: @escaping @Sendable () throws(LogQueryError) -> any LogQuery,
        tracks: (@Sendable () throws(LogQueryError) -> any TrackSource)? = nil,
        alerts: (@Sendable () throws(LogQueryError) -> [AlertStatus])? = nil
    ) {
        self.logs = logs
        self.tracks = tracks
        self.alerts = alerts
    }

    /// Whether rules of alerts are configured for `GET /api/alerts`.
    package var hasAlerts: Bool { alerts != nil }

    /// The paths that ``answer(path:parameters:budget:)`` supports.
    public static let paths = [
        "/api/records", "/api/around", "/api/histogram", "/api/values", "/api/devices", "/api/tracks",
        "/api/series", "/api/visits", "/api/trips", "/api/route", "/api/export", "/api/alerts",
        "/api/openapi.json",
    ]

    /// The OpenAPI 3.1 description of these paths, as JSON.
    public static var description: [UInt8] { PackageResources.openapi_json }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - path: The path, without the query.
    ///   - parameters: The decoded parameters of the query, in their order.
    ///   - budget: The time limit of the answer. Default: 10 s.
    /// - Returns: `nil` for a path that is not one of ``paths``.
    public func answer(
        path: String, parameters: [(name: String, value: String)], budget: QueryBudget = QueryBudget(.seconds(10))
    ) -> APIAnswer? {
        guard Self.paths.contains(path) else { return nil }
        return budget.run {
            do throws(APIProblem) {
                return try result(path, parameters)
            } catch {
                return error.answer
            }
        }
    }

    private func result(_ path: String, _ parameters: [(name: String, value: String)]) throws(APIProblem) -> APIAnswer {
        var parameters = try APIParameters(parameters)
        do {
            switch path {
            case "/api/records":
                let request = try parameters.recordRequest()
                return APIAnswer(json: .page(try logs().records(request)))
            case "/api/around":
                let id = try parameters.required("id")
                let (before, after) = (
                    try parameters.count("before", 20, 0...1_000), try parameters.count("after", 20, 0...1_000)
                )
                let selection = try parameters.selection()
                try parameters.finish()
                guard let found = try logs().records(around: id, before: before, after: after, matching: selection)
                else {
                    throw APIProblem(404, "there is no record with the id \(id.debugDescription)", parameter: "id")
                }
                return APIAnswer(json: .surroundings(found))
            case "/api/histogram":
                let request = try parameters.histogramRequest()
                return APIAnswer(json: .histogram(try logs().histogram(request)))
            case "/api/values":
                let request = try parameters.valuesRequest()
                return APIAnswer(json: .values(try logs().values(request)))
            case "/api/devices":
                try parameters.finish()
                return APIAnswer(json: .devices(try logs().devices()))
            case "/api/tracks":
                let request = try parameters.tracksRequest()
                return APIAnswer(json: .tracks(try positions().tracks(request)))
            case "/api/series":
                let request = try parameters.seriesRequest()
                return APIAnswer(json: .series(try positions().series(request)))
            case "/api/visits":
                let request = try parameters.journeysRequest()
                return APIAnswer(json: .visits(try positions().journeys(request).visits))
            case "/api/trips":
                let request = try parameters.journeysRequest()
                return APIAnswer(json: .trips(try positions().journeys(request).trips))
            case "/api/route":
                let (request, format) = try parameters.routeRequest()
                guard let format else { return APIAnswer(json: .tracks(try positions().route(request))) }
                return APIAnswer(
                    status: 200, contentType: format.contentType, body: try positions().file(of: request, format))
            case "/api/export":
                let (request, format) = try parameters.exportRequest()
                let (bytes, next) = try RecordExport.run(request, format, logs())
                return APIAnswer(status: 200, contentType: format.contentType, body: bytes, next: next)
            case "/api/alerts":
                try parameters.finish()
                guard let alerts else { throw APIProblem(404, "no alerts are configured") }
                return APIAnswer(json: .alerts(try alerts()))
            default:
                try parameters.finish()
                return APIAnswer(status: 200, contentType: "application/json", body: Self.description)
            }
        } catch let problem as APIProblem {
            throw problem
        } catch let error as LogQueryError {
            throw APIProblem(error)
        } catch {
            throw APIProblem(500, "\(error)")
        }
    }

    private func positions() throws -> any TrackSource {
        guard let tracks else { throw APIProblem(404, "no store of positions is configured") }
        return try tracks()
    }
}
