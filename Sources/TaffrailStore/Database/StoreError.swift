#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// The reason why an operation of a store failed.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// Another process writes to the store, or has locked it.
        case busy
        /// The disk is full.
        case full
        /// Access was denied, or the file system is read-only.
        case denied
        /// The file is damaged or not a database.
        case corrupt
        /// A later version of Taffrail wrote it. It has not been touched.
        case newer
        /// It is the database of another program. It has not been touched.
        case foreign
        /// The store does not exist.
        case missing
        /// Anything else, such as a read error.
        case other
    }

    /// The kind of error.
    public var kind: Kind
    /// One line that names the file.
    public var reason: String
    /// Whether what has been saved may not survive power loss, whatever is done now.
    private(set) var isLost = false
    /// The error of a query that has reached its limits.
    private(set) var query: LogQueryError?

    /// A failure of the system to write a part of a database to the disk.
    init(lostIn path: String) {
        self.init(.other, "\(path): a part was not written to the disk")
        isLost = true
    }

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }

    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as SystemError:
            self.init(
                error.isFull ? .full : error.isDenied ? .denied : error.isMissing ? .missing : .other, "\(error)")
        case let error as DatabaseError:
            let text = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
            self.init(
                Self.kind(error.resultCode),
                "\(path): \(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
        default:
            self.init(.other, "\(path): \(error)")
            query = error as? LogQueryError
        }
    }

    private static func kind(_ code: ResultCode) -> Kind {
        switch code {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .denied
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
        default: .other
        }
    }
}
#endif
