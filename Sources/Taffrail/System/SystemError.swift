internal import Glibc

/// A failed system call: the error number, and what was being done to what.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: CInt
    /// What failed, such as `open app.log`.
    public let operation: String

    /// Makes an error from an error number; by default the one that `errno` holds now.
    package init(_ operation: String, code: CInt = errno) {
        self.code = code
        self.operation = operation
    }

    /// Such as `open app.log: Permission denied`.
    public var description: String { "\(operation): \(Errno.text(code))" }

    /// The system's description of the error within a sentence, such as `connection refused`.
    package var reason: String {
        let text = Errno.text(code)
        guard text.dropFirst().first?.isLowercase == true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Whether the disk or a quota is exhausted.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// Whether access was denied.
    public var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// Whether a file of that name exists already.
    public var isTaken: Bool { code == EEXIST }
    /// Whether another program holds it.
    public var isBusy: Bool { code == EBUSY }
    /// Whether no such file exists.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
