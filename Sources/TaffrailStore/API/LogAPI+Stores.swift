#if Store
internal import Taffrail
public import TaffrailQuery

extension LogAPI {
    /// Creates an API over stores in files, which need not exist yet. Their readers are kept open, and reopened when a
    /// file is replaced.
    ///
    /// - Parameters:
    ///   - logStore: The path of the store of records.
    ///   - locationStore: The path of the store of positions; `nil` if there is none.
    ///   - alerts: The path of the file of a sink `alerts`; `nil` if there is none.
    public init(logStore: String, locationStore: String? = nil, alerts: String? = nil) {
        let logs = OpenReader { (path) throws(StoreError) in try LogStoreReader(path) }
        let points = OpenReader { (path) throws(StoreError) in try StoreReader(path) }
        var tracks: (@Sendable () throws(LogQueryError) -> any TrackSource)?
        if let locationStore {
            tracks = { () throws(LogQueryError) in StoredTracks(try points.reader(of: locationStore)) }
        }
        var rules: (@Sendable () throws(LogQueryError) -> [AlertStatus])?
        if let alerts { rules = { () throws(LogQueryError) in try AlertStatus.read(alerts) } }
        self.init(
            logs: { () throws(LogQueryError) in try logs.reader(of: logStore) }, tracks: tracks, alerts: rules)
    }
}

/// Keeps the reader of the current file.
private final class OpenReader<Reader: Sendable>: Sendable {
    private struct Open {
        var device: UInt64
        var inode: UInt64
        var reader: Reader
    }

    private let open = Locked<Open?>(nil)
    private let make: @Sendable (String) throws(StoreError) -> Reader

    init(_ make: @escaping @Sendable (String) throws(StoreError) -> Reader) { self.make = make }

    func reader(of path: String) throws(LogQueryError) -> Reader {
        do {
            return try open.withLock { open in
                let status = try FileStatus.of(path)
                if let open, let status, open.device == status.device, open.inode == status.inode { return open.reader }
                open = nil
                let reader = try make(path)
                if let status { open = Open(device: status.device, inode: status.inode, reader: reader) }
                return reader
            }
        } catch {
            throw LogQueryError(StoreError(error, path: path))
        }
    }
}
#endif
