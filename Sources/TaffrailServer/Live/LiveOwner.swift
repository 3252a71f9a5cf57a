/// Whose clients count together where all share a limit: those with one token or, without tokens, of one address.
enum LiveOwner: Sendable, Hashable {
    case token(Int)
    case address(String)

    init(_ access: Access, _ request: ServerRequest) {
        self =
            access.owner != 0
            ? .token(access.owner) : .address(FailedAttempts.network(request.connection?.address ?? ""))
    }
}
