#if Store
internal import GRDB
public import Taffrail

extension StoreReader {
    /// A summary of the points of one device in one session.
    public struct Session: Sendable, Hashable {
        /// The session's name.
        public var name: String
        /// The device.
        public var device: String
        /// The number of points.
        public var points: Int
        /// The time of the first point, to the millisecond.
        public var first: Timestamp
        /// The time of the last point, to the millisecond.
        public var last: Timestamp
    }

    /// Returns the sessions, by the times of their first points.
    public func sessions() throws(StoreError) -> [Session] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.name, d.name, s.points, s.first, s.last FROM session s JOIN device d ON d.id = s.device
                    WHERE s.points > 0 ORDER BY s.first, s.id
                    """
            ).map { row in
                Session(
                    name: row[0], device: row[1], points: Int(clamping: row[2] as Int64),
                    first: Timestamp(nanoseconds: (row[3] as Int64) &* 1_000_000),
                    last: Timestamp(nanoseconds: (row[4] as Int64) &* 1_000_000))
            }
        }
    }

    /// Returns the devices with points, sorted by name.
    public func devices() throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT DISTINCT d.name FROM session s JOIN device d ON d.id = s.device WHERE s.points > 0 ORDER BY 1"
            )
        }
    }

    /// The size of the database and its write-ahead log.
    public var size: ByteSize { ByteSize(bytes: Int(clamping: StoreFile(path: path, kind: .positions).size)) }

    /// Writes a copy of the current state of the store into a file that must not exist, while others may save.
    public func backUp(to file: String) throws(StoreError) {
        try StoreFile(path: path, kind: .positions).backUp(queue, to: file)
    }
}
#endif
