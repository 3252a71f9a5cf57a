internal import CTaffrail

/// Selects the rotated files that exceed the limits, always the oldest ones.
struct Retention {
    let options: RotationOptions
    /// The time of the next check, in nanoseconds since 1970.
    private var next = Int64.min
    /// Whether leftovers of dead compressors have been looked for, and the index maintained.
    var isTidy = false
    /// The files that are in the ledger but could not be deleted, by their names before compression.
    private var noted: Set<RotatedName> = []

    /// How often to check for expired files and a full disk: once a minute.
    private static let interval: Int64 = 60_000_000_000

    init(options: RotationOptions) { self.options = options }

    /// Returns whether files may have expired, or the disk filled up, since the last check.
    func isDue(at now: Int64) -> Bool { now >= next || next != .max && now < next - 2 * Self.interval }

    mutating func noteCheck(at now: Int64) {
        next = options.age == nil && options.free == nil ? .max : now &+ Self.interval
    }

    /// Makes the next check due at once.
    mutating func restart() { next = .min }

    /// Returns the number of the oldest files to delete.
    ///
    /// - Parameters:
    ///   - files: All rotated files, oldest first.
    ///   - live: The live file's size.
    ///   - now: Nanoseconds since 1970.
    ///   - available: Free bytes on the disk; `nil` if unknown.
    func surplus(_ files: [RotatedFile], live: Int64, now: Int64, available: Int64?) -> Int {
        var count = 0
        if let keep = options.keep { count = max(count, files.count - keep) }
        if let age = options.age {
            let now = CivilTime.floorDivide(now, by: 1_000_000)
            let oldest = now - age.nanoseconds / 1_000_000
            // Files before an expired one were rotated earlier.
            let expired = files.lastIndex { $0.rotated(seenAt: now) < oldest }
            if let expired { count = max(count, expired + 1) }
        }
        if let total = options.total {
            // The live file counts with its maximum size.
            var room = Int64(total.bytes) - max(live, Int64(options.size?.bytes ?? 0))
            var kept = 0
            for file in files.reversed() {
                if file.size > room { break }
                room -= file.size
                kept += 1
            }
            count = max(count, files.count - kept)
        }
        if let free = options.free, var space = available {
            var deleted = 0
            for file in files where space < Int64(free.bytes) {
                space = space.addingClamped(file.size)
                deleted += 1
            }
            count = max(count, deleted)
        }
        return count
    }

    /// Applies the limits. A file that cannot be deleted is recorded in the ledger only the first time.
    ///
    /// - Parameter files: All rotated files, oldest first; deleted ones are removed.
    /// - Returns: The error of the last file that could not be deleted.
    mutating func apply(to files: inout [RotatedFile], in log: LogPath, live: Int64, now: Int64) -> SystemError? {
        let available = options.free == nil ? nil : Directory.freeSpace(at: log.path)
        let count = surplus(files, live: live, now: now, available: available)
        var failure: SystemError?
        let names = files.prefix(count).map { $0.name.compressed(.none) }
        let isNoted = RemovalNote(log: log, reason: .retention).write(names.filter { !noted.contains($0) })
        for file in files.prefix(count) {
            var isDeleted = true
            for name in [file.name, file.other].compactMap(\.self) {
                let path = log.file(name.text(in: log))
                do throws(SystemError) {
                    try FileName.removeIfPresent(path)
                } catch {
                    failure = error
                    isDeleted = false
                }
                taffrail_point(CInt(TAFFRAIL_POINT_REMOVED))
            }
            let name = file.name.compressed(.none)
            if isDeleted {
                noted.remove(name)
            } else if isNoted {
                noted.insert(name)
            }
        }
        files.removeFirst(count)
        return failure
    }
}
