/// A line of the index `LOGDIR/.taffrail/index`: a checksum, a letter, numbers, and a file name at the end.
///
/// | letter | meaning | fields |
/// |---|---|---|
/// | `s` | records of a run follow, numbered consecutively | inode, birth, offset, run, number, time, base name |
/// | `e` | end of these records | inode, birth, offset, run, last number, lines, latest time, base name |
/// | `c` | checksum of the bytes of the stretch that ended here | inode, birth, offset, run, sum, base name |
/// | `u` | from here on, other records of the run are not indexed | inode, birth, offset, run, number, base name |
/// | `r` | the file was rotated | inode, birth, size, lines, earliest and latest time, rotated name |
///
/// The checksum is the CRC32C of the rest of the line, in eight hexadecimal digits. Numbers are decimal, a run is 16
/// hexadecimal digits, times are nanoseconds since 1970, and `-` means unknown. The sum of a stretch is a
/// ``StretchSum``; it follows the `e`. Versions that do not know `c` and `u` ignore them, as they do invalid lines: the
/// index only helps, the log is authoritative.
package enum IndexEntry: Equatable {
    case start(file: FileID, offset: Int64, run: RingID, sequence: UInt64, time: Int64, base: String)
    case end(file: FileID, offset: Int64, run: RingID, sequence: UInt64, lines: Int64, time: Int64, base: String)
    case sum(file: FileID, offset: Int64, run: RingID, sum: UInt64, base: String)
    case unindexed(file: FileID, offset: Int64, run: RingID, sequence: UInt64, base: String)
    case rotated(file: FileID, size: Int64, lines: Int64?, earliest: Int64?, latest: Int64?, name: String)

    /// The identity of a file within its file system.
    package struct FileID: Hashable {
        let inode: UInt64
        let birth: Int64

        init(inode: UInt64, birth: Int64) {
            self.inode = inode
            self.birth = birth
        }

        package init(_ identity: FileIdentity) { self.init(inode: identity.inode, birth: identity.birth) }
    }

    /// The file that the entry describes.
    package var file: FileID {
        switch self {
        case .start(let file, _, _, _, _, _), .end(let file, _, _, _, _, _, _), .sum(let file, _, _, _, _),
            .unindexed(let file, _, _, _, _), .rotated(let file, _, _, _, _, _):
            file
        }
    }

    /// The line, with its newline.
    var text: String {
        let body =
            switch self {
            case .start(let file, let offset, let run, let sequence, let time, let base):
                "s \(file.inode) \(file.birth) \(offset) \(run) \(sequence) \(time) \(base)"
            case .end(let file, let offset, let run, let sequence, let lines, let time, let base):
                "e \(file.inode) \(file.birth) \(offset) \(run) \(sequence) \(lines) \(time) \(base)"
            case .sum(let file, let offset, let run, let sum, let base):
                "c \(file.inode) \(file.birth) \(offset) \(run) \(sum) \(base)"
            case .unindexed(let file, let offset, let run, let sequence, let base):
                "u \(file.inode) \(file.birth) \(offset) \(run) \(sequence) \(base)"
            case .rotated(let file, let size, let lines, let earliest, let latest, let name):
                "r \(file.inode) \(file.birth) \(size) \(Self.text(lines)) \(Self.text(earliest)) \(Self.text(latest)) \(name)"
            }
        return CheckedLine.text(body)
    }

    /// Parses a line, without its newline. From bytes, because a log of many files has many lines.
    ///
    /// - Returns: `nil` if it is invalid.
    init?(bytes: UnsafeRawBufferPointer) {
        guard var fields = CheckedLine(bytes), let letter = fields.letter(), let inode = fields.unsigned(),
            let birth = fields.signed(), let offsetOrSize = fields.signed()
        else { return nil }
        let file = FileID(inode: inode, birth: birth)
        switch letter {
        case UInt8(ascii: "s"):
            guard let run = fields.run(), let sequence = fields.unsigned(), let time = fields.signed(),
                let base = fields.name()
            else { return nil }
            self = .start(file: file, offset: offsetOrSize, run: run, sequence: sequence, time: time, base: base)
        case UInt8(ascii: "e"):
            guard let run = fields.run(), let sequence = fields.unsigned(), let lines = fields.signed(),
                let time = fields.signed(), let base = fields.name()
            else { return nil }
            self = .end(
                file: file, offset: offsetOrSize, run: run, sequence: sequence, lines: lines, time: time, base: base)
        case UInt8(ascii: "c"):
            guard let run = fields.run(), let sum = fields.unsigned(), let base = fields.name() else { return nil }
            self = .sum(file: file, offset: offsetOrSize, run: run, sum: sum, base: base)
        case UInt8(ascii: "u"):
            guard let run = fields.run(), let sequence = fields.unsigned(), let base = fields.name() else { return nil }
            self = .unindexed(file: file, offset: offsetOrSize, run: run, sequence: sequence, base: base)
        case UInt8(ascii: "r"):
            let (lines, earliest, latest) = (fields.signed(), fields.signed(), fields.signed())
            guard let name = fields.name() else { return nil }
            self = .rotated(
                file: file, size: offsetOrSize, lines: lines, earliest: earliest, latest: latest, name: name)
        default: return nil
        }
    }

    private static func text(_ value: Int64?) -> String { value.map { "\($0)" } ?? "-" }
}

extension IndexEntry {
    /// Calls `body` with each valid entry of a file, in order; with none if the file does not exist.
    package static func forEach(at path: String, _ body: (IndexEntry) -> Void) throws(SystemError) {
        try bytes(at: path).withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let end = ByteSearch.firstIndex(of: 0x0A, in: rest) ?? rest.count
                if let entry = IndexEntry(bytes: UnsafeRawBufferPointer(rebasing: rest[..<end])) { body(entry) }
                start += end + 1
            }
        }
    }

    private static func bytes(at path: String) throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            let file = try FileDescriptor(path, [.read, .ownFile])
            return try CheckedLine.contents(of: file)
        } catch {
            if error.code == Errno.missing { return [] }
            throw error
        }
    }

    /// Returns the runs in the index of a state directory; none when it cannot be read.
    static func runs(in directory: String) -> Set<RingID> {
        var runs: Set<RingID> = []
        try? forEach(at: directory + "/index") { entry in
            if case .start(_, _, let run, _, _, _) = entry { runs.insert(run) }
        }
        return runs
    }
}
