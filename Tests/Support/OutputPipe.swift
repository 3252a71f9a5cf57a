internal import Foundation
internal import Glibc

/// The reading end of a pipe to which a program prints. One thread at a time reads.
final class OutputPipe: @unchecked Sendable {
    private let descriptor: CInt
    /// The bytes that have been read but not returned.
    private var pending: [UInt8] = []

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates a pipe.
    ///
    /// - Returns: The reading end, and the descriptor of the writing end.
    static func make() throws -> (reading: OutputPipe, writing: CInt) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (OutputPipe(ends[0]), ends[1])
    }

    /// Reads one line; `nil` at the end.
    func readLine() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard readMore() else { break }
        }
        defer { pending = [] }
        return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
    }

    /// Reads to the end, without the last line break.
    func readToEnd() -> String {
        while readMore() {}
        defer { pending = [] }
        if pending.last == UInt8(ascii: "\n") { pending.removeLast() }
        return String(decoding: pending, as: UTF8.self)
    }

    private func readMore() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        var count = read(descriptor, &part, part.count)
        while count < 0 && errno == EINTR { count = read(descriptor, &part, part.count) }
        guard count > 0 else { return false }
        pending += part[..<count]
        return true
    }
}
