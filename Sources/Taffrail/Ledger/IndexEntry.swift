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
package enum IndexEntry {
    case start(at: Boundary, sequence: UInt64, time: Int64)
    case end(at: Boundary, sequence: UInt64, lines: Int64, time: Int64)
    case sum(at: Boundary, UInt64)
    case unindexed(at: Boundary, sequence: UInt64)
    case rotated(file: FileID, size: Int64, lines: Int64?, earliest: Int64?, latest: Int64?, name: String)

    /// The identity of a file within its file system.
    package struct FileID: Hashable {
        let inode: UInt64
        let birth: Int64
    }

    /// The start or end of a run's lines in a file of a log.
    package struct Boundary {
        let file: FileID
        /// In bytes.
        let offset: Int64
        package let run: RingID
        /// The log's base name.
        package let base: String

        fileprivate func line(_ letter: String, _ numbers: String) -> String {
            CheckedLine.text("\(letter) \(file.inode) \(file.birth) \(offset) \(run) \(numbers) \(base)")
        }
    }

    /// The file that the entry describes.
    package var file: FileID {
        switch self {
        case .start(let at, _, _), .end(let at, _, _, _), .sum(let at, _), .unindexed(let at, _): at.file
        case .rotated(let file, _, _, _, _, _): file
        }
    }

    /// The line, with its newline.
    var text: String {
        switch self {
        case .start(let at, let sequence, let time): return at.line("s", "\(sequence) \(time)")
        case .end(let at, let sequence, let lines, let time): return at.line("e", "\(sequence) \(lines) \(time)")
        case .sum(let at, let sum): return at.line("c", "\(sum)")
        case .unindexed(let at, let sequence): return at.line("u", "\(sequence)")
        case .rotated(let file, let size, let lines, let earliest, let latest, let name):
            let counts = "\(Self.text(lines)) \(Self.text(earliest)) \(Self.text(latest))"
            return CheckedLine.text("r \(file.inode) \(file.birth) \(size) \(counts) \(name)")
        }
    }

    /// Parses a line, without its newline; `nil` if it is invalid. From bytes, because a log of many files has many
    /// lines.
    init?(bytes: UnsafeRawBufferPointer) {
        guard var fields = CheckedLine(bytes), let letter = fields.letter(), let inode = fields.unsigned(),
            let birth = fields.signed(), let offsetOrSize = fields.signed()
        else { return nil }
        let file = FileID(inode: inode, birth: birth)
        if letter == UInt8(ascii: "r") {
            let (lines, earliest, latest) = (fields.signed(), fields.signed(), fields.signed())
            guard let name = fields.name() else { return nil }
            self = .rotated(
                file: file, size: offsetOrSize, lines: lines, earliest: earliest, latest: latest, name: name)
            return
        }
        guard let run = fields.run(), let number = fields.unsigned() else { return nil }
        let lines = letter == UInt8(ascii: "e") ? fields.signed() : 0
        let time = letter == UInt8(ascii: "e") || letter == UInt8(ascii: "s") ? fields.signed() : 0
        guard let lines, let time, let base = fields.name() else { return nil }
        let boundary = Boundary(file: file, offset: offsetOrSize, run: run, base: base)
        switch letter {
        case UInt8(ascii: "s"): self = .start(at: boundary, sequence: number, time: time)
        case UInt8(ascii: "e"): self = .end(at: boundary, sequence: number, lines: lines, time: time)
        case UInt8(ascii: "c"): self = .sum(at: boundary, number)
        case UInt8(ascii: "u"): self = .unindexed(at: boundary, sequence: number)
        default: return nil
        }
    }

    private static func text(_ value: Int64?) -> String { value.map { "\($0)" } ?? "-" }
}

extension IndexEntry.FileID {
    package init(_ identity: FileIdentity) { self.init(inode: identity.inode, birth: identity.birth) }
}
