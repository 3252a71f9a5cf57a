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

        /// The same for whoever reads no further than so many bytes: a stretch that goes further has no end.
        package func settled(upTo end: Int64) -> File {
            var file = self
            for index in stretches.indices where stretches[index].end ?? 0 > end {
                file.stretches[index].end = nil
                file.stretches[index].lastSequence = nil
                file.stretches[index].lines = nil
                file.stretches[index].latest = nil
                file.stretches[index].sum = nil
            }
            return file
        }

        /// The stretches and what lies between and behind them, which the index does not know, in the order of the file.
        private func parts(size: Int64) -> [(part: Range<Int64>, stretch: Stretch?)] {
            var parts: [(Range<Int64>, Stretch?)] = []
            var end: Int64 = 0
            for (number, stretch) in stretches.enumerated() where stretch.start >= end && stretch.start < size {
                if stretch.start > end { parts.append((end..<stretch.start, nil)) }
                let next = number + 1 < stretches.count ? stretches[number + 1].start : size
                end = min(size, max(stretch.start, stretch.end ?? next))
                parts.append((stretch.start..<end, stretch))
            }
            if end < size { parts.append((end..<size, nil)) }
            return parts
        }

        /// Where the first record of a moment or later may be: in a stretch, whose first record's time is told, or in
        /// what the index does not know.
        package func part(since moment: Int64, size: Int64) -> (part: Range<Int64>, first: Int64?) {
            for (part, stretch) in parts(size: size) {
                if let latest = stretch?.latest, latest < moment { continue }
                return (part, stretch?.time)
            }
            return (size..<size, nil)
        }

        /// The start of the next part, at a place or behind it, that may have what is wanted: a stretch whose first
        /// record is, or whose end is not known, or what the index does not know.
        package func start(behind place: Int64, size: Int64, where isWanted: (Int64) -> Bool) -> Int64? {
            parts(size: size).first { part, stretch in
                part.lowerBound >= place && stretch.map { $0.end == nil || isWanted($0.time) } ?? true
            }?.part.lowerBound
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

/// The index's file. It is appended to and replaced under a lock of its own; whoever only reads needs none.
package struct IndexFile {
    private let log: LogPath
    private let path: String

    package init(_ log: LogPath) {
        self.log = log
        path = log.state + "/index"
    }

    /// All entries that make sense, in their order; none when there is no index.
    package func entries() throws(SystemError) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        try forEachEntry { entries.append($0) }
        return entries
    }

    /// Calls `body` with each entry that makes sense, in their order.
    package func forEachEntry(_ body: (IndexEntry) -> Void) throws(SystemError) {
        try IndexEntry.forEach(at: path, body)
    }

    /// Appends entries. Called under the index's lock.
    func append(_ entries: [IndexEntry]) throws(SystemError) {
        let file = try FileDescriptor(
            path, [.readWrite, .create, .append, .ownFile])
        let bytes = Array(entries.map(\.text).joined().utf8)
        // Behind a line that a full disk has torn starts a new one.
        let size = try file.status().size
        if size == 0 { file.handOver(toOwnerOf: log.state) }
        var isTorn = false
        if size > 0 { isTorn = try file.read(1, at: size - 1) != [UInt8(ascii: "\n")] }
        let code = ((isTorn ? [UInt8(ascii: "\n")] : []) + bytes).withUnsafeBytes { file.write(all: $0).code }
        guard code == 0 else { throw SystemError("write \(path)", code: code) }
    }

    /// Replaces the index by entries. Called under the index's lock.
    func replace(by entries: [IndexEntry]) throws(SystemError) {
        let text = entries.map(\.text).joined()
        try FileName.replace(path, with: Array(text.utf8), forOwnerOf: log.state)
    }
}
