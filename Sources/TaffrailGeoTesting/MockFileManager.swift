public import FoundationEssentials
internal import Taffrail
public import TaffrailRecording

/// A directory in memory, for tests of recordings without disk I/O, with simulated file errors.
///
/// Pass ``directory`` to a `GeoLogger`, a `RecordingManager` or a `RecordingSession`. It is in the system's
/// memory file system (`/dev/shm`; if missing, among the temporary files). Recording fails on demand if
/// `RecordingOptions.faults` is ``faults``. Any thread may call. The directory is deleted on deinitialization.
public final class MockFileManager: Sendable {
    /// A simulated file error.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// Nothing can be created or written: `EACCES`.
        case denied
        /// There is no space: `ENOSPC`.
        case full
        /// The device fails: `EIO`.
        case broken

        fileprivate var code: Int32 {
            switch self {
            case .denied: Errno.accessDenied
            case .full: Errno.full
            case .broken: Errno.inputOutput
            }
        }
    }

    /// The directory.
    public let directory: URL
    /// The simulated errors, for `RecordingOptions.faults`.
    public let faults = RecordingFaults()

    /// Creates an empty directory.
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

    /// Options for recording into the directory, with its simulated errors.
    public var options: RecordingOptions {
        var options = RecordingOptions(directory: directory.path)
        options.faults = faults
        return options
    }

    /// Creates or replaces a file.
    public func createFile(_ name: String, contents: [UInt8]) { try? Data(contents).write(to: url(name)) }

    /// Returns the contents of a file; `nil` when it does not exist.
    public func contents(_ name: String) -> [UInt8]? { (try? Data(contentsOf: url(name))).map { [UInt8]($0) } }

    /// The names of all files in the directory, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    /// Makes the creation and writing of all files with ``faults`` fail; `nil` ends the failure.
    public func fail(_ failure: Failure?) { faults.fail(with: failure?.code ?? 0) }

    private func url(_ name: String) -> URL { directory.appending(path: name) }
}
