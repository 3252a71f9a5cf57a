package import Taffrail

/// A file of tokens, which is read again after each change.
///
/// A token is valid only while it is in the file. While the file is missing, empty or too large, no token is valid.
package final class TokenFile: Sendable {
    private struct State {
        var tokens = AccessTokens("")
        var seen: Seen?
    }

    /// The file as it was last read.
    private enum Seen: Equatable {
        case file(FileStatus.Version)
        /// The reason why it cannot be read.
        case failure(String)
    }

    /// The maximum size of a file, in bytes.
    private static let limit = 1 << 20

    private let path: String
    private let state = Locked(State())

    /// Reads a file.
    ///
    /// - Throws: ``OptionError`` if it cannot be read, contains no token, or has an invalid line.
    package init(_ path: String) throws(OptionError) {
        self.path = path
        if let problem = load() { throw problem }
    }

    /// The current tokens.
    package var tokens: AccessTokens {
        if let problem = load() { Diagnostics.report("\(path): \(problem.reason)") }
        return state.withLock { $0.tokens }
    }

    /// Reads the file if it has changed.
    ///
    /// - Returns: The first problem, if there is a new one.
    private func load() -> OptionError? {
        do throws(SystemError) {
            let status = try FileStatus.following(path)
            let seen = Seen.file(status.version)
            guard state.withLock({ $0.seen }) != seen else { return nil }
            guard status.size <= Self.limit else {
                return set(AccessTokens(""), seen, "has more than \(Self.limit) bytes, so no token is valid")
            }
            let file = try FileDescriptor(path, .read)
            let bytes = try file.read(Int(status.size), at: 0)
            let tokens = AccessTokens(String(decoding: bytes, as: UTF8.self))
            let problem = tokens.isEmpty ? "contains no token, so none is valid" : nil
            return set(tokens, seen, tokens.problems.first?.reason ?? problem)
        } catch {
            return set(AccessTokens(""), .failure("\(error)"), "\(error), so no token is valid")
        }
    }

    private func set(_ tokens: AccessTokens, _ seen: Seen, _ problem: String?) -> OptionError? {
        let isNew = state.withLock { state in
            defer { (state.tokens, state.seen) = (tokens, seen) }
            return state.seen != seen
        }
        return isNew ? problem.map { OptionError("token_file", $0) } : nil
    }
}
