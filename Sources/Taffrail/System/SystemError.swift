internal import Glibc

/// A failed system call: the error number and the operation.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: CInt
    /// The operation that failed, such as `open app.log`.
    public let operation: String

    /// Creates an error from an error number, by default the current `errno`.
    package init(_ operation: String, code: CInt = errno) {
        self.code = code
        self.operation = operation
    }

    /// For example `open app.log: Permission denied`.
    public var description: String { "\(operation): \(Errno.text(code))" }

    /// The system's description of the error for use within a sentence, such as `connection refused`.
    package var reason: String {
        let text = Errno.text(code)
        guard text.dropFirst().first?.isLowercase == true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Whether the disk or a quota is exhausted.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// Whether access was denied.
    public var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// Whether a file with that name already exists.
    public var isTaken: Bool { code == EEXIST }
    /// Whether another program has it locked.
    public var isBusy: Bool { code == EBUSY }
    /// Whether the file does not exist.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
