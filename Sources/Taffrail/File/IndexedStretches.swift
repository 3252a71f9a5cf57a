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

    /// The lines of a file.
    package struct Lines {
        /// In file order.
        package var stretches: [Stretch] = []
        /// The starts of the lines that are not in the index.
        package var rests: [Rest] = []
    }

    package private(set) var files: [IndexEntry.FileID: Lines] = [:]
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
                if files[file]?.stretches.isEmpty ?? true { order.append(file) }
                // Earlier contents of this range have been truncated.
                files[file, default: Lines()].stretches.removeAll { $0.start >= at.offset }
                files[file]?.rests.removeAll { $0.start > at.offset }
                files[file]?.stretches.append(
                    Stretch(start: at.offset, run: at.run, firstSequence: sequence, time: time))
            case .end(let at, let sequence, let lines, let latest) where at.base == log.base:
                let index = files[file]?.stretches.lastIndex { $0.run == at.run && $0.start < at.offset }
                guard let index else { return }
                files[file]?.stretches[index].end = at.offset
                files[file]?.stretches[index].lastSequence = sequence
                files[file]?.stretches[index].lines = lines
                files[file]?.stretches[index].latest = latest
            case .sum(let at, let sum) where at.base == log.base:
                let index = files[file]?.stretches.lastIndex { $0.run == at.run && $0.end == at.offset }
                if let index { files[file]?.stretches[index].sum = sum }
            case .unindexed(let at, let sequence) where at.base == log.base:
                let rest = Rest(start: at.offset, run: at.run, firstSequence: sequence)
                files[file, default: Lines()].rests.append(rest)
            case .rotated(_, _, _, _, _, let name):
                if let name = RotatedName(name, of: log) { rotations[name] = entry }
            default: return
            }
        }
    }

    /// Returns the last number that an unindexed record of a rest may have; `nil` if the run has no later stretch.
    func lastNumber(of rest: Rest) -> UInt64? {
        var next: UInt64?
        for lines in files.values {
            for stretch in lines.stretches where stretch.run == rest.run && stretch.firstSequence > rest.firstSequence {
                next = min(next ?? .max, stretch.firstSequence)
            }
        }
        return next.map { $0 - 1 }
    }
}
