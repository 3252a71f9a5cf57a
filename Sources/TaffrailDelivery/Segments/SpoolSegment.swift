internal import Taffrail

/// A file of a spool: a header, and frames.
///
/// | offset | field |
/// |---|---|
/// | 0 | `TFSPOOL` and a newline |
/// | 8 | version u32 (1), length of the header u32 |
/// | 16 | number u64 |
/// | 24 | time of its creation, ns since 1970 i64 |
/// | 32 | number of marks u32, CRC32C of the header with zeros here u32 |
/// | 48 | marks: run u64, ring position u64, last sequence number u64 |
///
/// Its name is its number, in sixteen digits, and `.segment`.
final class SpoolSegment: Sendable {
    let number: UInt64
    let file: FileDescriptor

    static let version: UInt32 = 1
    static let fixedSize = 48
    private static let magic: [UInt8] = Array("TFSPOOL\n".utf8)
    private static let suffix = ".segment"

    init(_ number: UInt64, _ file: consuming FileDescriptor) {
        self.number = number
        self.file = file
    }

    // MARK: Names

    static func name(_ number: UInt64) -> String { Decimal.padded(number, 16) + suffix }

    static func path(_ number: UInt64, in directory: String) -> String { directory + "/" + name(number) }

    /// Returns the numbers of all segments of a directory, in order.
    static func numbers(in directory: String) throws(SystemError) -> [UInt64] {
        try Directory.entries(of: directory).compactMap { entry in
            guard entry.name.hasSuffix(suffix), let number = UInt64(entry.name.dropLast(suffix.utf8.count)),
                name(number) == entry.name
            else { return nil }
            return number
        }.sorted()
    }

    // MARK: Opening

    /// Opens a segment for reading.
    static func open(_ number: UInt64, in directory: String) throws(SystemError) -> SpoolSegment {
        SpoolSegment(number, try FileDescriptor(path(number, in: directory), [.read, .ownFile]))
    }

    /// Opens a segment for appending.
    static func openForAppending(_ number: UInt64, in directory: String) throws(SystemError) -> SpoolSegment {
        SpoolSegment(number, try FileDescriptor(path(number, in: directory), [.readWrite, .ownFile]))
    }

    /// Creates a segment that starts with some marks.
    static func create(
        _ number: UInt64, in directory: String, marks: SpoolMarks, time: Int64
    ) throws(SystemError) -> (segment: SpoolSegment, size: Int64) {
        let path = path(number, in: directory)
        let file = try FileDescriptor(creating: path)
        file.handOver(toOwnerOf: directory)
        let header = header(number, marks: marks, time: time)
        do throws(SystemError) { try file.write(header, at: 0) } catch {
            try? FileName.remove(path)
            throw error
        }
        return (SpoolSegment(number, file), Int64(header.count))
    }

    /// The length of a header with a number of marks.
    static func headerLength(marks count: Int) -> Int { (fixedSize + SpoolMarks.Mark.size * count + 15) & ~15 }

    private static func header(_ number: UInt64, marks: SpoolMarks, time: Int64) -> [UInt8] {
        let length = headerLength(marks: marks.all.count)
        var bytes = [UInt8](repeating: 0, count: length)
        bytes.withUnsafeMutableBytes { bytes in
            for (offset, byte) in magic.enumerated() { bytes[offset] = byte }
            bytes.storeBytes(of: version, toByteOffset: 8, as: UInt32.self)
            bytes.storeBytes(of: UInt32(length), toByteOffset: 12, as: UInt32.self)
            bytes.storeBytes(of: number, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: time, toByteOffset: 24, as: Int64.self)
            bytes.storeBytes(of: UInt32(marks.all.count), toByteOffset: 32, as: UInt32.self)
            for (index, mark) in marks.all.enumerated() {
                mark.store(in: bytes, at: fixedSize + SpoolMarks.Mark.size * index)
            }
            bytes.storeBytes(
                of: Checksum.crc32c(UnsafeRawBufferPointer(bytes)), toByteOffset: 36, as: UInt32.self)
        }
        return bytes
    }

    /// The contents of a segment's header.
    struct Header: Sendable {
        let length: Int64
        let created: Int64
        let marks: SpoolMarks
    }

    /// Reads the header; returns `nil` if it is damaged or of another version.
    func header() throws(SystemError) -> Header? {
        var bytes = try file.read(Self.fixedSize, at: 0)
        guard bytes.count == Self.fixedSize, bytes.starts(with: Self.magic) else { return nil }
        let (version, length, count) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
                Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self)),
                Int($0.loadUnaligned(fromByteOffset: 32, as: UInt32.self))
            )
        }
        guard version == Self.version, count <= SpoolMarks.limit,
            length == Self.headerLength(marks: count)
        else { return nil }
        bytes += try file.read(length - Self.fixedSize, at: Int64(Self.fixedSize))
        guard bytes.count == length else { return nil }
        let sum = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 36, as: UInt32.self) }
        for offset in 36..<40 { bytes[offset] = 0 }
        return bytes.withUnsafeBytes { bytes in
            guard Checksum.crc32c(bytes) == sum,
                bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self) == number
            else { return nil }
            var marks = SpoolMarks()
            for index in 0..<count {
                marks.set(SpoolMarks.Mark(bytes, at: Self.fixedSize + SpoolMarks.Mark.size * index))
            }
            return Header(
                length: Int64(length), created: bytes.loadUnaligned(fromByteOffset: 24, as: Int64.self), marks: marks)
        }
    }
}

// MARK: Frames

extension SpoolSegment {
    /// The content at an offset.
    enum Found: Equatable {
        case frame(SpoolFrame)
        /// No frame, up to that offset.
        case damage(until: Int64)
        case end
    }

    /// Finds the content at an offset, which is a multiple of 16, in the part of the file that has been written.
    func find(at offset: Int64, size: Int64) throws(SystemError) -> Found {
        guard offset < size else { return .end }
        guard let bytes = try readable(SpoolFrame.headerSize, at: offset) else {
            return .damage(until: min(Self.block(after: offset), (size + 15) & ~15))
        }
        if let frame = bytes.withUnsafeBytes({ SpoolFrame($0) }), offset + Int64(frame.length) <= size {
            return .frame(frame)
        }
        return .damage(until: (try next(after: offset, size: size) + 15) & ~15)
    }

    /// Returns the offset of the next frame; `size` if there is none.
    private func next(after offset: Int64, size: Int64) throws(SystemError) -> Int64 {
        var chunk = offset + 16
        while chunk < size {
            // Chunks overlap by a header.
            guard let bytes = try readable(Int(min(1 << 16, size - chunk)), at: chunk) else {
                // Some of it may be readable.
                let next = Self.block(after: chunk)
                return next < size ? next : size
            }
            let found: Int64? = bytes.withUnsafeBytes { bytes in
                var at = 0
                while at + SpoolFrame.headerSize <= bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
                    if let frame = SpoolFrame(rest), chunk + Int64(at + frame.length) <= size {
                        return chunk + Int64(at)
                    }
                    at += 16
                }
                return nil
            }
            if let found { return found }
            guard bytes.count == 1 << 16 else { return size }
            chunk += Int64(1 << 16 - SpoolFrame.headerSize)
        }
        return size
    }

    /// Reads some bytes; returns `nil` when the disk cannot read them, which is damage like any other.
    private func readable(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) { return try file.read(count, at: offset) } catch {
            guard error.code == Errno.inputOutput else { throw error }
            return nil
        }
    }

    /// Returns the start of the next block of a disk.
    private static func block(after offset: Int64) -> Int64 { (offset | 4095) + 1 }

    /// Returns the records of a frame at an offset, and whether its payload is intact.
    func payload(of frame: SpoolFrame, at offset: Int64) throws(SystemError) -> (bytes: [UInt8], isIntact: Bool) {
        guard let bytes = try readable(frame.payloadLength, at: offset + Int64(SpoolFrame.headerSize)) else {
            return ([], false)
        }
        let isIntact =
            bytes.count == frame.payloadLength
            && bytes.withUnsafeBytes { Checksum.crc32c($0) } == frame.payloadSum
        guard bytes.count > frame.recordsLength else { return (bytes, isIntact) }
        return (Array(bytes.prefix(frame.recordsLength)), isIntact)
    }

    /// Returns the state in a frame at an offset, whose payload is intact; `nil` if it has none.
    func state(of frame: SpoolFrame, at offset: Int64) throws(SystemError) -> (generation: UInt64, bytes: [UInt8])? {
        let start = offset + Int64(SpoolFrame.headerSize + frame.recordsLength)
        guard frame.stateLength >= 8, let bytes = try readable(frame.stateLength, at: start),
            bytes.count == frame.stateLength
        else { return nil }
        return (bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }, Array(bytes.dropFirst(8)))
    }
}
