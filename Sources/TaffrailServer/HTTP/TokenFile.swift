package import Taffrail

/// A file of tokens, which is read again when it has changed.
package final class TokenFile: Sendable {
    private struct State {
        var tokens: AccessTokens?
        var seen: Seen?
    }

    private struct Seen: Equatable {
        let identity: UInt64
        let size: Int64
        let modified: Int64
    }

    private let path: String
    private let state = Locked(State())

    /// Reads a file.
    ///
    /// - Throws: ``OptionError`` if it cannot be read or contains something else.
    package init(_ path: String) throws(OptionError) {
        self.path = path
        try load()
    }

    /// The current tokens. A file that has become invalid leaves the former ones in use, which is reported.
    package var tokens: AccessTokens? {
        do throws(OptionError) { try load() } catch {
            Diagnostics.report("\(path) is not read again: \(error.reason)")
        }
        return state.withLock { $0.tokens }
    }

    private func load() throws(OptionError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            let status = try FileStatus.following(path)
            let seen = Seen(identity: status.inode, size: status.size, modified: status.modified)
            guard state.withLock({ $0.seen }) != seen else { return }
            let file = try FileDescriptor(path, .read)
            bytes = try file.read(min(Int(status.size), 1 << 20), at: 0)
            state.withLock { $0.seen = seen }
        } catch {
            throw OptionError("token_file", "\(error)")
        }
        let tokens = try AccessTokens(String(decoding: bytes, as: UTF8.self))
        state.withLock { $0.tokens = tokens }
    }
}
