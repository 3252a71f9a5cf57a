internal import Taffrail
internal import TaffrailText

/// OTLP responses, in the encoding of the request.
struct OTLPReply {
    /// Whether the request was in JSON.
    let isJSON: Bool

    private var contentType: String { isJSON ? "application/json" : "application/x-protobuf" }

    /// Returns the response to a request whose records were all accepted.
    ///
    /// - Parameter message: A warning about them.
    func success(warning message: String? = nil) -> ServerAnswer {
        guard let message else { return ServerAnswer(200, contentType, isJSON ? Array("{}".utf8) : []) }
        if isJSON { return .json([LogValueEntry("partialSuccess", ["errorMessage": .string(message)])]) }
        // `partial_success` (1), a message with `error_message` (2); no record was rejected.
        return ServerAnswer(200, contentType, Self.field(1, Self.field(2, Array(message.utf8))))
    }

    /// Returns the response to a failed request: `google.rpc.Status`, whose second field is the message.
    func failure(_ problem: Problem) -> ServerAnswer {
        let body =
            isJSON ? (["message": .string(problem.detail)] as LogValue).json : Self.field(2, Array(problem.detail.utf8))
        return problem.completed(ServerAnswer(problem.status, contentType, body))
    }

    /// Returns a field of protobuf that consists of bytes.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var result = [number << 3 | 2]
        var length = bytes.count
        while length >= 0x80 {
            result.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        return result + [UInt8(length)] + bytes
    }
}
