internal import Taffrail

/// The contents of a log's files according to the index: times and records of each file.
struct LogIndex {
    /// A stretch of one run's lines in a file.
    typealias Stretch = IndexedStretches.Stretch
    /// The start of lines that are not in the index.
    typealias Rest = IndexedStretches.Rest

    /// An indexed file that is neither the live file nor recorded as rotated.
    struct Orphan {
        let file: IndexEntry.FileID
        let stretches: [Stretch]
        let rests: [Rest]
    }

    /// One file.
    struct File {
        /// `nil` for the live file.
        let name: RotatedName?
        /// The uncompressed size at rotation; `nil` for the live file.
        let size: Int64?
        let lines: Int64?
        /// The times of the earliest and the latest record, in nanoseconds since 1970.
        let earliest: Int64?
        let latest: Int64?
        /// In file order.
        var stretches: [Stretch]
        var rests: [Rest] = []
    }

    /// The rotated files that exist, oldest first, followed by the live one.
    let files: [File]
    /// In the order of writing.
    let orphans: [Orphan]

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
    init(of log: LogPath, rotated names: [RotatedName], live: FileIdentity?) throws(SystemError) {
        let index = try IndexedStretches(of: log)
        var files: [File] = []
        for name in names {
            guard
                case .rotated(let file, let size, let lines, let earliest, let latest, _) =
                    index.rotations[name.compressed(.none)]
            else {
                files.append(File(name: name, size: nil, lines: nil, earliest: nil, latest: nil, stretches: []))
                continue
            }
            files.append(
                File(
                    name: name, size: size, lines: lines, earliest: earliest, latest: latest,
                    stretches: index.files[file]?.stretches ?? [], rests: index.files[file]?.rests ?? []))
        }
        if let live {
            let own = index.files[IndexEntry.FileID(live)]
            files.append(
                File(
                    name: nil, size: nil, lines: nil, earliest: own?.stretches.first?.time, latest: nil,
                    stretches: own?.stretches ?? [], rests: own?.rests ?? []))
        }
        self.files = files
        let named = Set(index.rotations.values.map(\.file))
        orphans = index.order.filter { id in !named.contains(id) && id != live.map(IndexEntry.FileID.init) }
            .map { id in
                Orphan(file: id, stretches: index.files[id]?.stretches ?? [], rests: index.files[id]?.rests ?? [])
            }
    }
}
