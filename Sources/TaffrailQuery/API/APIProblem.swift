internal import Taffrail
internal import TaffrailText

/// A problem as in RFC 9457.
struct APIProblem: Error {
    let status: Int
    let detail: String
    /// The parameter that is wrong.
    var parameter: String?
    /// Whether the same request may succeed soon.
    var isTransient = false
    /// The position of the error in it, in Unicode scalars from 1.
    var column: Int?

    init(_ status: Int, _ detail: String, parameter: String? = nil, column: Int? = nil) {
        self.status = status
        self.detail = detail
        self.parameter = parameter
        self.column = column
    }

    /// A parameter that is wrong.
    init(_ parameter: String, _ detail: String, column: Int? = nil) {
        self.init(400, detail, parameter: parameter, column: column)
    }

    init(_ error: LogQueryError) {
        // The reasons of errors that are not the client's name files of the server.
        switch error.kind {
        case .invalid: self.init(400, error.reason, parameter: error.parameter)
        case .missing: self.init(404, "there is no store yet")
        case .unavailable: self.init(503, "the store cannot be read now")
        case .unreadable: self.init(500, "the store cannot be read; the server has reported why")
        case .tooLong: self.init(503, "the answer takes too long: choose a shorter range of time, or fewer conditions")
        }
        isTransient = error.kind == .unavailable
        if error.kind == .unreadable { Diagnostics.report("a query cannot be answered: \(error.reason)") }
    }

    var answer: APIAnswer {
        var members: [LogValueEntry] = []
        if let parameter { members.append(LogValueEntry("parameter", .string(parameter))) }
        if let column { members.append(LogValueEntry("column", .int(Int64(column)))) }
        return APIAnswer(
            status: status, contentType: ProblemDetails.mediaType,
            body: ProblemDetails(status, detail, members).json, retryAfter: isTransient ? .seconds(1) : nil)
    }
}
