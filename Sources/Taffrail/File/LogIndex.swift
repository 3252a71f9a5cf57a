/// What the index tells about a log's files: which moments and which records each one has.
package struct LogIndex {
    /// A stretch of one run's lines in a file.
    package struct Stretch: Equatable {
        /// Where it starts and, if that was still noted, ends, in bytes.
        package let start: Int64
        package var end: Int64?
        package let run: RingID
        /// The number of its first record and, if that was still noted, of its last.
        package let firstSequence: UInt64
        package var lastSequence: UInt64?
        /// How many lines it has; fewer than numbers where records were dropped on the way.
        package var lines: Int64?
        /// When its first record was logged, in nanoseconds since 1970.
        package let time: Int64
        /// When its latest record was logged, if that was still noted.
        package var latest: Int64?
        /// The sum of its bytes, if that was noted.
        package var sum: UInt64?
    }

    /// What is known of a file that is neither the live one nor any that was rotated here by its name.
    package struct Orphan {
        package let file: IndexEntry.FileID
        package let stretches: [Stretch]
    }

    /// One file.
    package struct File: Equatable {
        /// `nil` for the live file.
        package let name: RotatedName?
        /// The size when it was rotated, uncompressed; `nil` for the live file.
        package let size: Int64?
        package let lines: Int64?
        /// The earliest and the latest record, in nanoseconds since 1970.
        package let earliest: Int64?
        package let latest: Int64?
        /// In the order of the file.
        package var stretches: [Stretch]

        package init(
            name: RotatedName?, size: Int64?, lines: Int64?, earliest: Int64?, latest: Int64?, stretches: [Stretch]
        ) {
            self.name = name
            self.size = size
            self.lines = lines
            self.earliest = earliest
            self.latest = latest
            self.stretches = stretches
        }
    }

    /// The rotated files that exist, the oldest first, and the live one at the end.
    package let files: [File]
    /// In the order in which they were written.
    package let orphans: [Orphan]

    /// Reads the index of a log. What it does not know of a file is `nil`.
    init(of log: LogPath) throws(SystemError) {
        let names = try log.rotatedNames()
        let live = try? FileDescriptor(log.live, [.read, .ownFile])
        var identity: FileIdentity?
        if let live { identity = live.identity(try live.status()) }
        try self.init(of: log, rotated: names, live: identity)
    }

    /// Reads what the index of a log tells of some files.
    ///
    /// - Parameters:
    ///   - rotated: The rotated files, the oldest first.
    ///   - live: The live file, where there is one.
    package init(of log: LogPath, rotated names: [RotatedName], live: FileIdentity?) throws(SystemError) {
        var stretches: [IndexEntry.FileID: [Stretch]] = [:]
        var rotations: [RotatedName: IndexEntry] = [:]
        var order: [IndexEntry.FileID] = []
        try IndexFile(log).forEachEntry { entry in
            switch entry {
            case .start(let file, let offset, let run, let sequence, let time, base: log.base):
                if stretches[file] == nil { order.append(file) }
                // What stood here before has been cut off.
                stretches[file, default: []].removeAll { $0.start >= offset }
                stretches[file, default: []].append(
                    Stretch(start: offset, run: run, firstSequence: sequence, time: time))
            case .end(let file, let offset, let run, let sequence, let lines, let latest, base: log.base):
                guard let index = stretches[file]?.lastIndex(where: { $0.run == run && $0.start < offset }) else {
                    return
                }
                stretches[file]?[index].end = offset
                stretches[file]?[index].lastSequence = sequence
                stretches[file]?[index].lines = lines
                stretches[file]?[index].latest = latest
            case .sum(let file, let offset, let run, let sum, base: log.base):
                guard let index = stretches[file]?.lastIndex(where: { $0.run == run && $0.end == offset }) else {
                    return
                }
                stretches[file]?[index].sum = sum
            case .rotated(_, _, _, _, _, let name):
                if let name = RotatedName(name, of: log) { rotations[name] = entry }
            default: return
            }
        }
        var files: [File] = []
        for name in names {
            guard
                case .rotated(let file, let size, let lines, let earliest, let latest, _) =
                    rotations[name.compressed(.none)]
            else {
                files.append(File(name: name, size: nil, lines: nil, earliest: nil, latest: nil, stretches: []))
                continue
            }
            files.append(
                File(
                    name: name, size: size, lines: lines, earliest: earliest, latest: latest,
                    stretches: stretches[file] ?? []))
        }
        if let live {
            let own = stretches[IndexEntry.FileID(live)] ?? []
            files.append(
                File(name: nil, size: nil, lines: nil, earliest: own.first?.time, latest: nil, stretches: own))
        }
        self.files = files
        let named = Set(rotations.values.map(\.file))
        orphans = order.filter { id in !named.contains(id) && id != live.map(IndexEntry.FileID.init) }
            .map { Orphan(file: $0, stretches: stretches[$0] ?? []) }
    }
}
