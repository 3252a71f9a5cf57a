package import Taffrail
internal import TaffrailText

/// The reason why a recording cannot be read or written.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The file does not exist.
        case missing
        /// Access was refused.
        case denied
        /// A file with this name already exists.
        case taken
        /// The disk or a quota is full.
        case full
        /// A program is writing the file.
        case busy
        /// Another system error.
        case system
        /// The file is not a recording, or is damaged.
        case malformed
        /// The file has an unknown version.
        case unsupportedVersion
    }

    /// The kind of error.
    public var kind: Kind
    /// The file.
    public var path: String
    /// The line of the error in a malformed file, from 1.
    public var line: Int?
    /// The offset of the first invalid byte, from 0.
    public var offset: Int?
    /// A one-line description for users, without the path.
    public var reason: String

    package init(_ kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    package init(_ failure: SystemError, path: String) {
        let kind: Kind =
            failure.isMissing
            ? .missing
            : failure.isDenied
                ? .denied : failure.isFull ? .full : failure.isTaken ? .taken : failure.isBusy ? .busy : .system
        self.init(kind, path: path, reason: failure.description)
    }

    package init(_ error: ReadError, path: String) {
        self.init(.malformed, path: path, reason: error.reason)
        line = error.line
        offset = error.offset
    }

    /// For example `drive.json:12: byte 845: expected a comma`.
    public var description: String {
        guard let line, let offset else { return reason.contains(path) ? reason : "\(path): \(reason)" }
        return "\(path):\(line): byte \(offset): \(reason)"
    }
}
