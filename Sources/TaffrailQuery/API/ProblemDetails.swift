package import Taffrail
internal import TaffrailText

/// A problem reported by an HTTP API, as in RFC 9457.
package struct ProblemDetails: Sendable, Hashable {
    /// The media type of its JSON.
    package static let mediaType = "application/problem+json"

    /// The status of the answer.
    package var status: Int
    /// The problem of this request, for the author of the client.
    package var detail: String
    /// Further members, in order.
    package var members: [LogValueEntry]
    /// The time after which the same request may succeed, for a header; `nil`: only after a change.
    package var retryAfter: Duration?

    /// Creates a problem.
    package init(_ status: Int, _ detail: String, _ members: [LogValueEntry] = [], retryAfter: Duration? = nil) {
        self.status = status
        self.detail = detail
        self.members = members
        self.retryAfter = retryAfter
    }

    /// The problem as JSON.
    package var json: [UInt8] {
        let all = [
            LogValueEntry("type", "about:blank"), LogValueEntry("title", .string(title)),
            LogValueEntry("status", .int(Int64(status))), LogValueEntry("detail", .string(detail)),
        ]
        return LogValue.map(all + members).json
    }

    /// The phrase of the status, as the type `about:blank` requires.
    package var title: String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Error"
        }
    }
}
