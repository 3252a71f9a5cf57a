internal import Taffrail
internal import TaffrailText

/// Deletes the oldest recordings of a folder, as far as the options say.
enum RecordingRetention {
    /// Deletes what is too much. Only files of our own name are looked at, and never the one under way.
    ///
    /// - Returns: The names of what was deleted.
    @discardableResult
    static func apply(_ options: RecordingOptions, current: String?, now: Timestamp) -> [String] {
        guard options.keepCount != nil || options.keepAge != nil || options.keepTotal != nil else { return [] }
        var files: [(name: String, size: Int, modified: Timestamp)] = []
        let names = FileNames.names(in: options.directory)
        for name in names where RecordingName.isOurs(name) {
            guard let file = try? File(reading: options.directory + "/" + name), let size = try? file.size,
                let modified = try? file.modified
            else { continue }
            files.append((name, size, modified))
        }
        files.sort { $0.name < $1.name }
        var count = files.count
        var total = files.reduce(0) { $0 + $1.size }
        var deleted: [String] = []
        for file in files where file.name != current {
            let isTooMany = options.keepCount.map { count > $0 } ?? false
            let isTooMuch = options.keepTotal.map { total > $0.bytes } ?? false
            let isTooOld = options.keepAge.map { now.nanoseconds - file.modified.nanoseconds > $0.nanoseconds } ?? false
            guard isTooMany || isTooMuch || isTooOld else { continue }
            guard (try? File.remove(options.directory + "/" + file.name)) != nil else { continue }
            deleted.append(file.name)
            count -= 1
            total -= file.size
        }
        return deleted
    }
}
