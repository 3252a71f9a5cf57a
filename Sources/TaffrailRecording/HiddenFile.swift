internal import Taffrail
internal import TaffrailText
internal import TaffrailTransport

/// A new file that is hidden until it is valid, and then renamed atomically.
struct HiddenFile: ~Copyable {
    private let file: FileDescriptor
    /// The suffix of hidden names.
    static let suffix = ".new"

    /// Creates a hidden file next to its future name.
    init(for path: String, _ faults: RecordingFaults? = nil) throws(SystemError) {
        try faults?.check("create \(path)")
        let name = FileName.base(of: path)
        let unique = String(
            UInt64(bitPattern: SystemClock.monotonicNanoseconds()) &+ UInt64(ThisProcess.id) << 40, radix: 36)
        let directory = Directory.parent(of: path) ?? "."
        file = try FileDescriptor(creating: "\(directory)/.\(name).\(unique)\(Self.suffix)")
    }

    /// Returns the file under its future name, for messages.
    func opened(as path: String) throws(SystemError) -> FileDescriptor {
        try .duplicate(file.number, path: path)
    }

    /// Renames the file.
    ///
    /// - Throws: `EEXIST` when the name exists.
    func rename(to path: String) throws(SystemError) {
        let code = FileName.renameExclusively(file.path, to: path)
        guard code == 0 else { throw SystemError("create \(path)", code: code) }
    }

    /// Deletes the file, if it cannot be renamed.
    func remove() { try? FileName.remove(file.path) }

    /// Deletes hidden files of dead programs.
    static func removeLeftovers(_ names: [String], in directory: String) {
        for name in names where name.hasPrefix(".") && name.hasSuffix(suffix) {
            let path = directory + "/" + name
            if let file = try? FileDescriptor(updating: path), file.lock() { try? FileName.remove(path) }
        }
    }
}
