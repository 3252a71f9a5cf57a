public import FoundationEssentials
internal import Taffrail
internal import TaffrailText

/// Lists, deletes, exports, imports, verifies and repairs the recordings in a directory.
///
/// Any thread may call. A recording that is being written can be listed and exported, but not repaired.
public final class RecordingManager: Sendable {
    /// The recordings of this program, in ``defaultDirectory``.
    public static let shared = RecordingManager()

    /// The directory; it need not exist.
    public let directory: URL

    /// Manages this program's recordings.
    public convenience init() { self.init(directory: Self.defaultDirectory) }

    /// Manages the recordings in a directory.
    public init(directory: URL) { self.directory = directory }

    /// Manages the recordings in a directory, given its path.
    package convenience init(path: String) { self.init(directory: URL(filePath: path)) }

    /// ``RecordingOptions/defaultDirectory``.
    public static var defaultDirectory: URL { URL(filePath: RecordingOptions.defaultDirectory) }

    /// Returns the recordings, oldest first. Only the head and tail of each file are read. Unreadable files are
    /// omitted; a missing directory has no recordings.
    public func listRecordings() -> [RecordingInfo] {
        let names = Directory.names(in: directory.path)
        var recordings: [RecordingInfo] = []
        for name in names where (name.hasSuffix(".json") || name.hasSuffix(".json.gz")) && !name.hasPrefix(".") {
            if let info = try? RecordingInfo(path: path(name)) { recordings.append(info) }
        }
        return recordings.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
    }

    /// Returns the summary of one recording.
    ///
    /// - Throws: When the file does not exist, or cannot be read.
    public func recording(name: String) throws(RecordingError) -> RecordingInfo {
        try RecordingInfo(path: try checked(name))
    }

    /// Deletes a recording.
    ///
    /// - Throws: When the directory does not contain the file, or it cannot be deleted.
    public func deleteRecording(name: String) throws(RecordingError) {
        let path = try checked(name)
        do throws(SystemError) { try FileName.remove(path) } catch { throw RecordingError(error, path: path) }
    }

    /// Returns the location of a recording, for sharing it. The file is complete JSON even while it is being written.
    public func exportRecording(name: String) -> URL { directory.appending(path: name) }

    /// Copies a recording in its present state, without the reserved space, to a new file.
    ///
    /// - Throws: When it cannot be read or written, or the file exists; no incomplete file remains.
    public func exportRecording(name: String, to destination: URL) throws(RecordingError) {
        try exportRecording(name: name, toPath: destination.path)
    }

    /// Exports a recording in the same way, to a path.
    package func exportRecording(name: String, toPath destination: String) throws(RecordingError) {
        try Self.copy(from: checked(name), to: destination)
    }

    /// Imports a recording as ``importRecording(from:)`` does, from a path.
    package func importRecording(fromPath source: String) throws(RecordingError) -> RecordingInfo {
        try importRecording(from: URL(filePath: source))
    }

    /// Checks a recording completely and copies it into the directory.
    ///
    /// - Returns: The summary of the copy, which is renamed if a recording with its name exists.
    /// - Throws: When the source cannot be read, is not a recording or is damaged, or the copy cannot be written.
    @discardableResult
    public func importRecording(from source: URL) throws(RecordingError) -> RecordingInfo {
        let report = try RecordingReport(checking: source.path)
        guard !report.isDamaged else {
            throw RecordingError(
                .malformed, path: source.path, reason: report.problems.first?.description ?? "not a recording")
        }
        do throws(SystemError) {
            try Directory.create(directory.path)
        } catch {
            throw RecordingError(error, path: directory.path)
        }
        var base = source.lastPathComponent
        let ending = RecordingArchive.isArchive(base) ? ".json.gz" : ".json"
        if base.hasSuffix(ending) { base.removeLast(ending.count) }
        for number in 1..<10_000 {
            let path = path(base + (number == 1 ? "" : "-\(number)") + ending)
            do throws(RecordingError) {
                try Self.copy(from: source.path, to: path)
                return try RecordingInfo(path: path)
            } catch {
                guard error.kind == .taken else { throw error }
            }
        }
        throw RecordingError(.system, path: directory.path, reason: "too many recordings named \(base)")
    }

    /// Checks a recording completely.
    public func verifyRecording(name: String) throws(RecordingError) -> RecordingReport {
        try RecordingReport(checking: checked(name))
    }

    /// Repairs a damaged recording, see ``RecordingRepair``.
    @discardableResult
    public func repairRecording(name: String) throws(RecordingError) -> RecordingRepair {
        try RecordingRepair(of: checked(name), assumed: .forCurrentDevice())
    }

    /// Repairs the recordings damaged by a power loss: all recordings in the directory with metadata at neither end.
    ///
    /// - Returns: The results, by name. Recordings that are being written, or cannot be repaired, are skipped.
    @discardableResult
    public func repairDamagedRecordings() -> [String: RecordingRepair] {
        var repairs: [String: RecordingRepair] = [:]
        for info in listRecordings() where info.isMetadataMissing {
            repairs[info.name] = try? repairRecording(name: info.name)
        }
        return repairs
    }

    /// Returns the path of a recording.
    ///
    /// - Throws: When the file does not exist, or cannot be read.
    package func existingPath(name: String) throws(RecordingError) -> String {
        let path = try checked(name)
        _ = try RecordingInfo(path: path)
        return path
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Returns the path of a name within the directory.
    private func checked(_ name: String) throws(RecordingError) -> String {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", !name.utf8.contains(0) else {
            throw RecordingError(
                .missing, path: name, reason: "\(name) is not a recording name; expected a file name only")
        }
        return path(name)
    }

    /// Returns the bytes of a recording in its present state, without the reserved space.
    static func contents(of path: String) throws(SystemError) -> any ByteSource {
        let file = try FileDescriptor(reading: path)
        if !RecordingArchive.isArchive(path), let found = try RecordingProbe.continuation(file) {
            return RecordingSnapshot(file, found)
        }
        return FileSource(file)
    }

    /// Copies a recording in its present state; no incomplete file remains.
    private static func copy(from source: String, to destination: String) throws(RecordingError) {
        let input = try step(source) { () throws(SystemError) in try contents(of: source) }
        let output = try step(destination) { () throws(SystemError) in try FileDescriptor(creating: destination) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        do throws(RecordingError) {
            var end: Int64 = 0
            while true {
                let count = try step(source) { () throws(SystemError) in try input.read(into: buffer) }
                if count == 0 { break }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try step(destination) { () throws(SystemError) in try output.write(bytes, at: end) }
                end += Int64(count)
            }
            try step(destination) { () throws(SystemError) in try output.synchronize(withAttributes: true) }
        } catch {
            try? FileName.remove(destination)
            throw error
        }
    }

    /// Performs a step of a copy, whose error is that of a file.
    private static func step<Result: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(RecordingError) -> Result {
        do throws(SystemError) { return try body() } catch { throw RecordingError(error, path: path) }
    }
}
