public import FoundationEssentials
internal import Taffrail
internal import TaffrailText

/// The recordings in a folder: lists, deletes, exports, imports, verifies and repairs them.
///
/// Any thread. What a recorder is writing can be listed and exported, but not repaired.
public final class RecordingManager: Sendable {
    /// The recordings of this program, in ``defaultDirectory``.
    public static let shared = RecordingManager()

    /// The folder; it need not exist.
    public let directory: URL

    /// Looks after the folder of this program.
    public convenience init() { self.init(directory: Self.defaultDirectory) }

    /// Looks after a folder.
    public init(directory: URL) { self.directory = directory }

    /// Looks after a folder, by its path.
    package convenience init(path: String) { self.init(directory: URL(filePath: path)) }

    /// ``RecordingOptions/defaultDirectory``.
    public static var defaultDirectory: URL { URL(filePath: RecordingOptions.defaultDirectory) }

    /// The recordings, oldest first. Only the head and tail of each file is read. A folder that does not exist, and a
    /// file that cannot be read, has none.
    public func listRecordings() -> [RecordingInfo] {
        let names = Directory.names(in: directory.path)
        var recordings: [RecordingInfo] = []
        for name in names where (name.hasSuffix(".json") || name.hasSuffix(".json.gz")) && !name.hasPrefix(".") {
            if let info = try? RecordingInfo(path: path(name)) { recordings.append(info) }
        }
        return recordings.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
    }

    /// What is known about one recording.
    ///
    /// - Throws: When there is no such file, or it cannot be read.
    public func recording(name: String) throws(RecordingError) -> RecordingInfo {
        try RecordingInfo(path: try checked(name))
    }

    /// Deletes a recording.
    ///
    /// - Throws: When there is no such file in the folder, or it cannot be deleted.
    public func deleteRecording(name: String) throws(RecordingError) {
        let path = try checked(name)
        do throws(SystemError) { try FileName.remove(path) } catch { throw RecordingError(error, path: path) }
    }

    /// Where a recording lies, to share it. The file is one whole JSON text, also while it is being written.
    public func exportRecording(name: String) -> URL { directory.appending(path: name) }

    /// Copies a recording, as it is now and without what a recorder keeps in reserve, to a file that must not exist.
    ///
    /// - Throws: When it cannot be read or written; no incomplete file is left.
    public func exportRecording(name: String, to destination: URL) throws(RecordingError) {
        try exportRecording(name: name, toPath: destination.path)
    }

    /// The same, to a path.
    package func exportRecording(name: String, toPath destination: String) throws(RecordingError) {
        try Self.copy(from: checked(name), to: destination)
    }

    /// The same as ``importRecording(from:)``, from a path.
    package func importRecording(fromPath source: String) throws(RecordingError) -> RecordingInfo {
        try importRecording(from: URL(filePath: source))
    }

    /// Copies a recording from elsewhere into the folder, after it has been read whole and found to be one.
    ///
    /// - Returns: What it is now; its name is a new one where there was a recording of that name.
    /// - Throws: When it cannot be read, is no recording or a damaged one, or cannot be written.
    @discardableResult
    public func importRecording(from source: URL) throws(RecordingError) -> RecordingInfo {
        let report = try RecordingReport(checking: source.path)
        guard !report.isDamaged else {
            throw RecordingError(
                .malformed, path: source.path, reason: report.problems.first?.description ?? "no recording")
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
        throw RecordingError(.system, path: directory.path, reason: "there are too many recordings named \(base)")
    }

    /// Reads a recording whole and says what is wrong with it.
    public func verifyRecording(name: String) throws(RecordingError) -> RecordingReport {
        try RecordingReport(checking: checked(name))
    }

    /// Makes a whole recording of a damaged one, see ``RecordingRepair``.
    @discardableResult
    public func repairRecording(name: String) throws(RecordingError) -> RecordingRepair {
        try RecordingRepair(of: checked(name), assumed: .ofThisDevice())
    }

    /// Repairs what a power cut has left: every recording in the folder whose ends do not say what it is.
    ///
    /// - Returns: What was done, by name. What is being written, or cannot be repaired, is left alone.
    @discardableResult
    public func repairDamagedRecordings() -> [String: RecordingRepair] {
        var repairs: [String: RecordingRepair] = [:]
        for info in listRecordings() where info.isDamaged { repairs[info.name] = try? repairRecording(name: info.name) }
        return repairs
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    /// The path of a name that leads nowhere else.
    private func checked(_ name: String) throws(RecordingError) -> String {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", !name.utf8.contains(0) else {
            throw RecordingError(.missing, path: name, reason: "\(name) is no name of a recording")
        }
        return path(name)
    }

    private static func copy(
        _ input: borrowing FileDescriptor, to output: borrowing FileDescriptor, isText: Bool
    ) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        var end: Int64 = 0
        while true {
            let count = try input.read(into: buffer, at: offset)
            if count == 0 { break }
            try output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            if let last = buffer[..<count].lastIndex(where: { $0 > 32 }) { end = offset + Int64(last) + 1 }
            offset += Int64(count)
        }
        guard isText, end > 0 else { return }
        try output.write([UInt8(ascii: "\n")], at: end)
        try output.truncate(to: end + 1)
    }

    /// Copies a file, a text up to its last byte that is no space.
    private static func copy(from source: String, to destination: String) throws(RecordingError) {
        do throws(SystemError) {
            let input = try FileDescriptor(reading: source)
            let output = try FileDescriptor(creating: destination)
            do throws(SystemError) {
                try copy(input, to: output, isText: !RecordingArchive.isArchive(source))
                try output.synchronize(withAttributes: true)
            } catch {
                try? FileName.remove(destination)
                throw error
            }
        } catch {
            throw RecordingError(error, path: destination)
        }
    }
}
