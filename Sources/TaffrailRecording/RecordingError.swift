package import Taffrail
internal import TaffrailText

/// Why a recording cannot be read or written.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, for code.
    public enum Kind: Sendable, Hashable {
        /// There is no such file.
        case missing
        /// Access was refused.
        case denied
        /// There is a file of that name already.
        case taken
        /// The disk or a quota is full.
        case full
        /// A program is writing it.
        case busy
        /// The system failed otherwise.
        case system
        /// It is no recording, or a damaged one.
        case malformed
        /// It has a version that is not known here.
        case unsupportedVersion
    }

    /// What is wrong.
    public var kind: Kind
    /// The file.
    public var path: String
    /// The line of a text that is malformed, from 1.
    public var line: Int?
    /// The place of its first wrong byte, from 0.
    public var place: Int?
    /// One line for a person, without the path.
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
        place = error.place
    }

    /// Such as `drive.json:12: byte 845: expected a comma`.
    public var description: String {
        guard let line, let place else { return reason.contains(path) ? reason : "\(path): \(reason)" }
        return "\(path):\(line): byte \(place): \(reason)"
    }
}
