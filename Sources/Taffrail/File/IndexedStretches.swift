/// The stretches of lines in a log's files, and its rotations, according to the index.
package struct IndexedStretches {
    /// A stretch of one run's lines in a file.
    package struct Stretch {
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

    /// The start of a run's lines in a file that are not in the index: it records a limited number of stretches.
    package struct Rest {
        /// In bytes.
        package let start: Int64
        package let run: RingID
        /// The number of the first record.
        package let firstSequence: UInt64
    }

    /// The stretches of each file, in file order.
    package private(set) var stretches: [IndexEntry.FileID: [Stretch]] = [:]
    /// The starts of the lines of each file that are not in the index.
    package private(set) var rests: [IndexEntry.FileID: [Rest]] = [:]
    /// The files that have any stretches, in the order of writing.
    package private(set) var order: [IndexEntry.FileID] = []
    /// The entries of rotated files, by their names before compression.
    package private(set) var rotations: [RotatedName: IndexEntry] = [:]

    /// Reads the index of a log.
    package init(of log: LogPath) throws(SystemError) {
        try IndexFile(directory: log.state).forEachEntry { entry in
            let file = entry.file
            switch entry {
            case .start(let at, let sequence, let time) where at.base == log.base:
                if stretches[file] == nil { order.append(file) }
                // Earlier contents of this range have been truncated.
                stretches[file, default: []].removeAll { $0.start >= at.offset }
                rests[file]?.removeAll { $0.start > at.offset }
                stretches[file, default: []].append(
                    Stretch(start: at.offset, run: at.run, firstSequence: sequence, time: time))
            case .end(let at, let sequence, let lines, let latest) where at.base == log.base:
                guard let index = stretches[file]?.lastIndex(where: { $0.run == at.run && $0.start < at.offset })
                else { return }
                stretches[file]?[index].end = at.offset
                stretches[file]?[index].lastSequence = sequence
                stretches[file]?[index].lines = lines
                stretches[file]?[index].latest = latest
            case .sum(let at, let sum) where at.base == log.base:
                guard let index = stretches[file]?.lastIndex(where: { $0.run == at.run && $0.end == at.offset })
                else { return }
                stretches[file]?[index].sum = sum
            case .unindexed(let at, let sequence) where at.base == log.base:
                rests[file, default: []].append(Rest(start: at.offset, run: at.run, firstSequence: sequence))
            case .rotated(_, _, _, _, _, let name):
                if let name = RotatedName(name, of: log) { rotations[name] = entry }
            default: return
            }
        }
    }

    /// Returns the last number that an unindexed record of a rest may have; `nil` if the run has no later stretch.
    func lastNumber(of rest: Rest) -> UInt64? {
        let later = stretches.values.joined().filter { $0.run == rest.run && $0.firstSequence > rest.firstSequence }
        return later.map(\.firstSequence).min().map { $0 - 1 }
    }
}
