public import FoundationEssentials
public import TaffrailRecording

/// A directory that lies in memory, for tests of recordings without disk I/O, whose files can be made to fail.
///
/// Give ``directory`` to a ``GeoLogger``, a ``RecordingManager`` or a ``RecordingSession``: it lies on the system's
/// file system in memory (`/dev/shm`; without one, among the temporary files). What is recorded fails on demand where
/// ``RecordingOptions/faults`` is ``faults``. Any thread. All of it is gone with the value.
public final class MockFileManager: Sendable {
    /// How files can fail.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// Nothing can be made or written: `EACCES`.
        case denied
        /// There is no space: `ENOSPC`.
        case full
        /// The device fails: `EIO`.
        case broken

        fileprivate var code: Int32 {
            switch self {
            case .denied: 13
            case .full: 28
            case .broken: 5
            }
        }
    }

    /// The directory.
    public let directory: URL
    /// What has the files of a recorder fail: for ``RecordingOptions/faults``.
    public let faults = RecordingFaults()

    /// Makes an empty directory.
    public init() {
        let name = "taffrail-\(UUID().uuidString)"
        let memory = URL(filePath: "/dev/shm/\(name)")
        if (try? FileManager.default.createDirectory(at: memory, withIntermediateDirectories: false)) != nil {
            directory = memory
        } else {
            directory = FileManager.default.temporaryDirectory.appending(path: name)
            try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Options that record into the directory, with its failures.
    public var options: RecordingOptions {
        var options = RecordingOptions(directory: directory.path)
        options.faults = faults
        return options
    }

    /// Makes or replaces a file.
    public func createFile(_ name: String, contents: [UInt8]) { try? Data(contents).write(to: url(name)) }

    /// What a file holds; `nil` when it does not exist.
    public func contents(_ name: String) -> [UInt8]? { (try? Data(contentsOf: url(name))).map { [UInt8]($0) } }

    /// The names of all files in the directory, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    /// Has everything that makes or writes files with ``faults`` fail from now on; `nil`: no more.
    public func fail(_ failure: Failure?) { faults.fail(with: failure?.code ?? 0) }

    private func url(_ name: String) -> URL { directory.appending(path: name) }
}
