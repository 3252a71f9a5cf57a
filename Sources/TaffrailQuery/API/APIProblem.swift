internal import Taffrail
internal import TaffrailText

/// The reason why a query cannot be answered.
struct APIProblem: Error {
    private var details: ProblemDetails

    /// - Parameters:
    ///   - parameter: The invalid parameter.
    ///   - column: The position of the error in the parameter, in Unicode scalars from 1.
    init(_ status: Int, _ detail: String, parameter: String? = nil, column: Int? = nil) {
        var members: [LogValueEntry] = []
        if let parameter { members.append(LogValueEntry("parameter", .string(parameter))) }
        if let column { members.append(LogValueEntry("column", .int(Int64(column)))) }
        details = ProblemDetails(status, detail, members)
    }

    /// Creates a problem with a parameter.
    init(_ parameter: String, _ detail: String, column: Int? = nil) {
        self.init(400, detail, parameter: parameter, column: column)
    }

    init(_ error: LogQueryError) {
        // The client receives no reason for errors of the server, because it may contain file names.
        switch error.kind {
        case .invalid: self.init(400, error.reason, parameter: error.parameter)
        case .missing: self.init(404, "there is no store yet")
        case .unavailable: self.init(503, "the store cannot be read now")
        case .unreadable: self.init(500, "the store cannot be read; the server has reported the reason")
        case .tooLong: self.init(503, "the answer takes too long: choose a shorter range of time, or fewer conditions")
        }
        if error.kind == .unavailable { details.retryAfter = .seconds(1) }
        if error.kind == .unreadable { Diagnostics.report("a query cannot be answered: \(error.reason)") }
    }

    var answer: APIAnswer {
        APIAnswer(
            status: details.status, contentType: ProblemDetails.mediaType, body: details.json,
            retryAfter: details.retryAfter)
    }
}
