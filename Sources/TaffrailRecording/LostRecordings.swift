internal import Taffrail

/// Ended recordings that the system has failed to write completely to the disk, until they are deleted or replaced.
package struct LostRecordings {
    private struct File {
        let path: String
        let device: UInt64
        let inode: UInt64

        /// `true` also if that cannot be checked.
        var exists: Bool {
            do throws(SystemError) {
                let status = try FileStatus.of(path)
                return status?.device == device && status?.inode == inode
            } catch {
                return true
            }
        }
    }

    private var files: [File] = []

    var isEmpty: Bool { files.isEmpty }

    /// Adds a recording.
    mutating func add(_ path: String) {
        guard let status = try? FileStatus.of(path) else { return }
        files.append(File(path: path, device: status.device, inode: status.inode))
    }

    /// Returns a recording that still exists.
    mutating func first() -> String? {
        files.removeAll { !$0.exists }
        return files.first?.path
    }
}
