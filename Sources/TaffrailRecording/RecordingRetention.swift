internal import Taffrail
internal import TaffrailText

/// Deletes the oldest recordings in a directory, as the options require.
///
/// A device without a battery for its clock may begin a recording before the clock has been set. Such a recording is
/// ordered by its last change. If it also ended before the clock was set, its age is unknown: until the clock is set,
/// it counts as the newest; afterwards, as recorded at the first pass with a set clock.
enum RecordingRetention {
    /// The start of the year 2001: clocks that have not been set begin in 1970, 1980 or 2000.
    private static let firstTime = Timestamp(nanoseconds: 978_307_200_000_000_000)

    /// A recording, and its times by a clock that had been set.
    private struct File {
        let name: String
        let size: Int64
        let start: Timestamp
        let modified: Timestamp
    }

    /// Applies retention to the files with names of recordings. The current one, and those that other recorders are
    /// writing, count, but are never deleted.
    ///
    /// - Returns: The names of the deleted files.
    @discardableResult
    static func apply(_ options: RecordingOptions, current: String?, now: Timestamp) -> [String] {
        guard options.keepCount != nil || options.keepAge != nil || options.keepTotal != nil else { return [] }
        var files: [File] = []
        let names = Directory.names(in: options.directory)
        for name in names where RecordingName.isOurs(name) {
            let path = options.directory + "/" + name
            guard let status = try? FileStatus.of(path), status.isRegular else { continue }
            let named = RecordingName.start(of: name).flatMap(known)
            let modified = known(Timestamp(nanoseconds: status.modified))
            let time = named ?? modified ?? date(path, now: now)
            files.append(File(name: name, size: status.size, start: named ?? time, modified: modified ?? time))
        }
        files.sort { ($0.start, $0.name) < ($1.start, $1.name) }
        var count = files.count
        var total = files.reduce(0) { $0 + $1.size }
        var deleted: [String] = []
        for file in files where file.name != current {
            let isTooMany = options.keepCount.map { count > $0 } ?? false
            let isTooMuch = options.keepTotal.map { total > Int64($0.bytes) } ?? false
            let isTooOld = options.keepAge.map { now - file.modified > $0 } ?? false
            guard isTooMany || isTooMuch || isTooOld else { continue }
            let path = options.directory + "/" + file.name
            if isLocked(path) {
                // A later pass deletes one that has ended; no newer one is deleted in its place.
                guard !isUnfinished(path) else { continue }
            } else {
                guard (try? FileName.remove(path)) != nil else { continue }
                deleted.append(file.name)
            }
            count -= 1
            total -= file.size
        }
        return deleted
    }

    /// Returns whether a recorder is writing a file, or it is being examined or compressed. A compressed one no longer
    /// changes.
    private static func isLocked(_ path: String) -> Bool {
        guard !RecordingArchive.isArchive(path), let file = try? FileDescriptor(reading: path) else { return false }
        guard file.lock() else { return true }
        file.unlock()
        return false
    }

    /// Returns whether a recording has not been ended.
    private static func isUnfinished(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(reading: path), let found = try? RecordingProbe.continuation(file) else {
            return false
        }
        return found.isUnfinished(size: (try? file.size) ?? 0)
    }

    /// Returns a time, unless it comes from a clock that had not been set.
    private static func known(_ time: Timestamp) -> Timestamp? { time < firstTime ? nil : time }

    /// Dates a recording without a known time a second before now, so that a recording that begins now is newer.
    private static func date(_ path: String, now: Timestamp) -> Timestamp {
        guard let now = known(now) else { return Timestamp(nanoseconds: .max) }
        let time = now - .seconds(1)
        try? FileName.setModified(path, to: time.nanoseconds)
        return time
    }
}
