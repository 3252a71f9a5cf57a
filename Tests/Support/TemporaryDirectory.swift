internal import Foundation
internal import Glibc
internal import Taffrail
package import TaffrailRecording

/// A temporary directory, deleted with its contents at the end.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter isInMemory: Whether to create it in memory if possible. Each file is synchronized before it is
    ///   closed, which takes long on a busy disk.
    package init(isInMemory: Bool = false) {
        let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/taffrail-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp/taffrail-test-without-directory"
    }

    deinit { Self.delete(path) }

    private static func delete(_ path: String) {
        for entry in (try? Directory.entries(of: path)) ?? [] {
            let inner = path + "/" + entry.name
            if (try? FileStatus.of(inner))?.isDirectory == true { delete(inner) } else { unlink(inner) }
        }
        rmdir(path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// The names in the directory except `.taffrail`, sorted.
    package var names: [String] {
        ((try? Directory.entries(of: path)) ?? []).map(\.name).filter { $0 != ".taffrail" }.sorted()
    }

    /// The contents of a file; empty if it does not exist.
    package func text(_ name: String) -> String { String(decoding: (try? bytes(name)) ?? [], as: UTF8.self) }

    /// The lines of a file that are not empty.
    package func lines(_ name: String) -> [String] {
        text(name).components(separatedBy: "\n").filter { !$0.isEmpty }
    }

    package func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: file(name)))) }

    /// The size of a file; -1 if it does not exist.
    package func size(_ name: String) -> Int64 { (try? FileStatus.of(file(name)))?.size ?? -1 }

    /// Replaces the contents of a file.
    package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    /// Replaces the contents of a file.
    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    /// Appends to a file, which is created if it does not exist.
    package func append(_ text: String, to name: String) throws {
        let made = try FileDescriptor(file(name), [.write, .create, .append], mode: 0o640)
        let (_, code) = Array(text.utf8).withUnsafeBytes { made.write(all: $0) }
        if code != 0 { throw SystemError("write", code: code) }
    }

    /// Fills the file system with a file `filler`.
    ///
    /// - Parameter next: Called after the writes of each size, which become smaller.
    package func fill(next: () -> Void = {}) throws {
        let file = try FileDescriptor(file("filler"), [.write, .create, .append])
        for size in [1 << 20, 1 << 16, 4096, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while zeros.withUnsafeBytes({ file.write(all: $0).code }) == 0 {}
            next()
        }
    }

    /// Deletes the file `filler`, if there is one, so that its space is free at once.
    ///
    /// A child that another test has just forked holds copies of the files that are open for writing until it executes
    /// its program, and a deleted file keeps its space until then. The file is therefore truncated first, which frees
    /// the space in any case.
    package func removeFiller() throws {
        let path = file("filler")
        guard truncate(path, 0) == 0 else {
            let error = SystemError("truncate filler")
            if error.isMissing { return }
            throw error
        }
        guard unlink(path) == 0 else { throw SystemError("delete filler") }
    }

    /// Information about the recordings in this directory, or in a subdirectory, even while one is being written.
    package func recordings(in name: String? = nil) -> [RecordingInfo] {
        RecordingManager(directory: URL(filePath: name.map(file) ?? path)).listRecordings()
    }
}
