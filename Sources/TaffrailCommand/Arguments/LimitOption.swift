#if Command
internal import ArgumentParser

/// A maximum number of things on a command line.
enum LimitOption {
    /// Refuses a `--limit` of less than 1.
    static func validate(_ limit: Int?) throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }
}
#endif
