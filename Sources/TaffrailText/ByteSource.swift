internal import Glibc

/// Where a reader's bytes come from.
package protocol ByteSource: AnyObject {
    /// Fills the start of `buffer`, blocking until there is something.
    ///
    /// - Returns: How many bytes were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
}

extension ByteSource {
    /// Everything up to the end, at most `limit` bytes.
    package func readAll(limit: Int) throws(SystemFailure) -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while result.count < limit {
            let count = try read(into: buffer)
            if count == 0 { break }
            result.append(contentsOf: buffer[..<count])
        }
        return Array(result.prefix(limit))
    }
}

/// A failed system call: the number, and what was being done to what.
public struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: Int32
    /// What failed, such as `open track.gpx`.
    public let doing: String

    /// Makes a failure from an error number; by default the one that `errno` holds now.
    package init(_ doing: String, code: Int32 = errno) {
        self.code = code
        self.doing = doing
    }

    /// Such as `open track.gpx: No such file or directory`.
    public var description: String { "\(doing): \(String(cString: strerror(code)))" }

    /// The system's word for it in the middle of a sentence, such as `connection refused`.
    package var reason: String {
        let text = String(cString: strerror(code))
        guard text.dropFirst().first?.isLowercase == true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Whether the disk or a quota is exhausted.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// Whether access was refused.
    public var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// Whether there is a file of that name already.
    public var isTaken: Bool { code == EEXIST }
    /// Whether a program has it for itself.
    public var isBusy: Bool { code == EBUSY }
    /// Whether there is no such file.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

/// A file that is read from its start to its end.
package final class FileSource: ByteSource {
    private let file: File
    private var place: Int

    /// Reads on from `offset`.
    package init(_ file: consuming File, from offset: Int = 0) {
        self.file = file
        place = offset
    }

    /// Opens a file for reading.
    package convenience init(path: String) throws(SystemFailure) { self.init(try File(reading: path)) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        let count =
            place < 0 ? try file.readNext(into: buffer) : try file.read(into: buffer, at: place)
        if place >= 0 { place += count }
        return count
    }
}
