#if Store
internal import TaffrailQuery

extension LogQueryError {
    /// The error of a query whose store cannot be read.
    init(_ error: StoreError) {
        if let query = error.query {
            self = query
            return
        }
        let kind: Kind =
            switch error.kind {
            case .missing: .missing
            case .corrupt, .newer, .foreign, .denied: .unreadable
            case .busy, .full, .other: .unavailable
            }
        self.init(kind, error.reason)
    }
}
#endif
