internal import Taffrail

extension RecordingLeftovers {
    /// Returns whether a recording has been ended, so that its file no longer changes.
    ///
    /// The file is locked for this check only if it may have ended, because other programs test the lock too.
    package static func isEnded(_ path: String) -> Bool {
        if RecordingArchive.isArchive(path) { return true }
        guard let file = try? FileDescriptor(updating: path), (try? RecordingProbe.metadata(file)) ?? nil != nil else {
            return false
        }
        if let found = try? RecordingProbe.continuation(file) {
            guard found.mark == nil, found.metadata.eventCount > 0, (try? file.size) ?? 0 <= found.end + 4_096 else {
                return false
            }
        }
        guard file.lock() else { return false }
        file.unlock()
        return true
    }
}
