/// The contents of a log's files according to the index: times and records of each file.
package struct LogIndex {
    /// A stretch of one run's lines in a file.
    package struct Stretch: Equatable {
        /// Its start and, if recorded, its end, in bytes.
        package let start: Int64
        package var end: Int64?
        package let run: RingID
        /// The number of its first record and, if recorded, of its last.
        package let firstSequence: UInt64
        package var lastSequence: UInt64?
        /// The number of lines; less than the numbers if records were dropped.
        package var lines: Int64?
        /// The time of its first record, in nanoseconds since 1970.
        package let time: Int64
        /// The time of its latest record, if recorded.
        package var latest: Int64?
        /// The checksum of its bytes, if recorded.
        package var sum: UInt64?
    }

    /// A file that is neither the live one nor, by its name, rotated here.
    package struct Orphan {
        package let file: IndexEntry.FileID
        package let stretches: [Stretch]
    }

    /// One file.
    package struct File: Equatable {
        /// `nil` for the live file.
        package let name: RotatedName?
        /// The uncompressed size at rotation; `nil` for the live file.
        package let size: Int64?
        package let lines: Int64?
        /// The times of the earliest and the latest record, in nanoseconds since 1970.
        package let earliest: Int64?
        package let latest: Int64?
        /// In file order.
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

    /// The rotated files that exist, oldest first, followed by the live one.
    package let files: [File]
    /// In the order of writing.
    package let orphans: [Orphan]

    /// Reads the index of a log. Unknown properties of a file are `nil`.
    init(of log: LogPath) throws(SystemError) {
        let names = try log.rotatedNames()
        let live = try? FileDescriptor(log.live, [.read, .ownFile])
        var identity: FileIdentity?
        if let live { identity = live.identity(try live.status()) }
        try self.init(of: log, rotated: names, live: identity)
    }

    /// Reads the index of a log for some files.
    ///
    /// - Parameters:
    ///   - rotated: The rotated files, oldest first.
    ///   - live: The live file, if it exists.
    package init(of log: LogPath, rotated names: [RotatedName], live: FileIdentity?) throws(SystemError) {
        var stretches: [IndexEntry.FileID: [Stretch]] = [:]
        var rotations: [RotatedName: IndexEntry] = [:]
        var order: [IndexEntry.FileID] = []
        try IndexFile(log).forEachEntry { entry in
            switch entry {
            case .start(let file, let offset, let run, let sequence, let time, base: log.base):
                if stretches[file] == nil { order.append(file) }
                // Earlier contents of this range have been truncated.
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
