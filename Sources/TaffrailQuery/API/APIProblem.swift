internal import TaffrailText

/// A problem as in RFC 9457.
struct APIProblem: Error {
    let status: Int
    let title: String
    let detail: String
    /// The parameter that is wrong.
    var parameter: String?
    /// Where in it, in Unicode scalars from 1.
    var column: Int?

    init(_ status: Int, _ title: String, _ detail: String, parameter: String? = nil, column: Int? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.parameter = parameter
        self.column = column
    }

    /// A parameter that is wrong.
    init(_ parameter: String, _ detail: String, column: Int? = nil) {
        self.init(400, "invalid parameter", detail, parameter: parameter, column: column)
    }

    init(_ error: LogQueryError) {
        switch error.kind {
        case .invalid: self.init(400, "invalid request", error.reason)
        case .missing: self.init(404, "no store", error.reason)
        case .unavailable: self.init(503, "store unavailable", error.reason)
        }
    }

    var answer: APIAnswer {
        var bytes: [UInt8] = []
        bytes.append("{\"type\":\"about:blank\",\"title\":")
        bytes.append(json: title)
        bytes.append(",\"status\":")
        bytes.append(decimal: status)
        bytes.append(",\"detail\":")
        bytes.append(json: detail)
        if let parameter {
            bytes.append(",\"parameter\":")
            bytes.append(json: parameter)
        }
        if let column {
            bytes.append(",\"column\":")
            bytes.append(decimal: column)
        }
        bytes.append("}")
        return APIAnswer(
            status: status, contentType: "application/problem+json", body: bytes, retryAfter: status == 503 ? 1 : nil)
    }
}
