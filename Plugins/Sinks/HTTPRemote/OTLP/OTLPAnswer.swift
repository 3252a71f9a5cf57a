#if HTTP
/// The meaning of OTLP responses, in both encodings.
enum OTLPAnswer {
    /// The body of a response.
    enum Content {
        case success
        /// The number of refused records, and the reason.
        case partial(UInt64, String)
        /// Not a response of a collector.
        case other
    }

    static func meaning(of status: Int, _ body: [UInt8], _ content: () -> Content) -> AnswerMeaning {
        switch status {
        case 200:
            guard !body.isEmpty else { return AnswerMeaning(.accepted(refused: 0)) }
            switch content() {
            case .success: return AnswerMeaning(.accepted(refused: 0))
            case .partial(let refused, let message): return AnswerMeaning(.accepted(refused: refused), message)
            case .other: return AnswerMeaning(.later, "the response is not from a collector")
            }
        // Some collectors return these.
        case 202, 204: return AnswerMeaning(.accepted(refused: 0))
        // No other status confirms anything.
        case 201..<300: return AnswerMeaning(.later)
        default: return AnswerMeaning(failure: status)
        }
    }
}
#endif
