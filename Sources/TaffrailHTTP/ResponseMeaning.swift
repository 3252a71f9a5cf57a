#if HTTP
/// The meaning of a response, without its headers.
package struct ResponseMeaning: Equatable {
    package enum Kind: Equatable {
        case accepted(refused: UInt64)
        case later
        case tooLarge
        /// The content encoding is not accepted.
        case unsupported
        case refused
        case denied
    }

    package var kind: Kind
    /// The message of the destination.
    package var message = ""
    /// The number of records in the response, if it lists each.
    package var count: Int?
    /// The indexes of the records that were refused, if the response lists each.
    package var refused: [Int] = []
    /// Whether an earlier request with the same key is still in progress.
    private(set) var isInProgress = false

    package init(_ kind: Kind, _ message: String = "") {
        self.kind = kind
        self.message = message
    }

    /// Returns the meaning of a response to a request with an idempotency key, unless the key is empty: by the draft of
    /// the header, 409 is the response while an earlier request with it is in progress.
    func responding(to key: String, with status: Int) -> ResponseMeaning {
        guard status == 409, kind == .refused, !key.isEmpty else { return self }
        var meaning = ResponseMeaning(.later, message)
        meaning.isInProgress = true
        return meaning
    }

    /// The meaning of a status that HTTP itself defines and that is the same for every protocol; `nil` for others.
    package init?(common status: Int) {
        switch status {
        case 413: self.init(.tooLarge)
        case 415: self.init(.unsupported)
        case 408, 425, 429: self.init(.later)
        // The address, the method or the credentials are wrong: whatever is sent, the response is the same.
        case 300..<400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 421, 426, 451, 501, 505, 511: self.init(.denied)
        default: return nil
        }
    }

    /// The meaning of a status that is not a success, unless the protocol defines another one.
    package init(failure status: Int) {
        self = ResponseMeaning(common: status) ?? ResponseMeaning((500..<600).contains(status) ? .later : .refused)
    }
}
#endif
