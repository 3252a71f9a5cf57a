internal import Taffrail
internal import TaffrailText
internal import TaffrailTransport

/// A new file that is hidden until it has what it must, and then gets its name in one step.
struct HiddenFile: ~Copyable {
    private let file: FileDescriptor
    /// What hidden names end with.
    static let suffix = ".new"

    /// Makes a file beside the one that it shall become.
    init(for path: String, _ faults: RecordingFaults? = nil) throws(SystemError) {
        try faults?.check("create \(path)")
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let unique = String(
            UInt64(bitPattern: SystemClock.monotonicNanoseconds()) &+ UInt64(ThisProcess.id) << 40, radix: 36)
        let directory = Directory.parent(of: path) ?? "."
        file = try FileDescriptor(creating: "\(directory)/.\(name).\(unique)\(Self.suffix)")
    }

    /// The file under the name that it shall have, for messages.
    func opened(as path: String) throws(SystemError) -> FileDescriptor {
        try .duplicate(file.number, path: path)
    }

    /// Gives it its name.
    ///
    /// - Throws: `EEXIST` when there is such a file.
    func rename(to path: String) throws(SystemError) {
        let code = FileName.renameExclusively(file.path, to: path)
        guard code == 0 else { throw SystemError("create \(path)", code: code) }
    }

    /// Removes it, where it cannot get its name.
    func remove() { try? FileName.remove(file.path) }

    /// Removes what programs left that died before their files had names.
    static func removeLeftovers(_ names: [String], in directory: String) {
        for name in names where name.hasPrefix(".") && name.hasSuffix(suffix) {
            let path = directory + "/" + name
            if let file = try? FileDescriptor(updating: path), file.lock() { try? FileName.remove(path) }
        }
    }
}
