#if HTTP
/// The meaning of OTLP responses, in both encodings.
enum OTLPResponse {
    /// The body of a response.
    enum Content {
        case success
        /// The number of refused records, and the reason.
        case partial(UInt64, String)
        /// Not a response of a collector.
        case other
    }

    static func meaning(of status: Int, _ body: [UInt8], _ content: () -> Content) -> ResponseMeaning {
        switch status {
        case 200:
            guard !body.isEmpty else { return ResponseMeaning(.accepted(refused: 0)) }
            switch content() {
            case .success: return ResponseMeaning(.accepted(refused: 0))
            case .partial(let refused, let message): return ResponseMeaning(.accepted(refused: refused), message)
            case .other: return ResponseMeaning(.later, "the response is not from a collector")
            }
        // Some collectors return these.
        case 202, 204: return ResponseMeaning(.accepted(refused: 0))
        // No other status confirms anything.
        case 201..<300: return ResponseMeaning(.later)
        default: return ResponseMeaning(failure: status)
        }
    }
}
#endif
