internal import Taffrail
internal import TaffrailText

/// Deletes the oldest recordings in a directory, as the options require.
enum RecordingRetention {
    /// Applies retention. Only files with names of recordings are considered, and never the current one.
    ///
    /// - Returns: The names of the deleted files.
    @discardableResult
    static func apply(_ options: RecordingOptions, current: String?, now: Timestamp) -> [String] {
        guard options.keepCount != nil || options.keepAge != nil || options.keepTotal != nil else { return [] }
        var files: [(name: String, size: Int64, modified: Int64)] = []
        let names = Directory.names(in: options.directory)
        for name in names where RecordingName.isOurs(name) {
            guard let status = try? FileStatus.of(options.directory + "/" + name), status.isRegular else { continue }
            files.append((name, status.size, status.modified))
        }
        files.sort { $0.name < $1.name }
        var count = files.count
        var total = files.reduce(0) { $0 + $1.size }
        var deleted: [String] = []
        for file in files where file.name != current {
            let isTooMany = options.keepCount.map { count > $0 } ?? false
            let isTooMuch = options.keepTotal.map { total > Int64($0.bytes) } ?? false
            let isTooOld = options.keepAge.map { now.nanoseconds - file.modified > $0.nanoseconds } ?? false
            guard isTooMany || isTooMuch || isTooOld else { continue }
            guard (try? FileName.remove(options.directory + "/" + file.name)) != nil else { continue }
            deleted.append(file.name)
            count -= 1
            total -= file.size
        }
        return deleted
    }
}
