/// The owner of clients that count together towards a limit: a token or, without tokens, an address.
enum LiveOwner: Sendable, Hashable {
    case token(Int)
    case address(String)

    init(_ access: Access, _ request: ServerRequest) {
        self =
            access.owner != 0
            ? .token(access.owner) : .address(FailedAttempts.network(request.connection?.address ?? ""))
    }
}
