/// The answer to a request.
public struct APIAnswer: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The value of `Content-Type`.
    public var contentType: String
    /// The body.
    public var body: [UInt8]
    /// The time after which a client may try again (`Retry-After`, in whole seconds), if a retry may succeed.
    public var retryAfter: Duration?
    /// The cursor of the rest (`Taffrail-Next`), if the body contains only a part of the result and not the cursor.
    public var next: String?

    /// Creates an answer.
    public init(status: Int, contentType: String, body: [UInt8], retryAfter: Duration? = nil, next: String? = nil) {
        self.next = next
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }

    init(json: APIDocument) { self.init(status: 200, contentType: "application/json", body: json.bytes) }
}
