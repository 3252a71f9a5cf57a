extension RingFile {
    /// Returns why a ring of another user is left alone, and who recovers it.
    static func refusal(ofOwner owner: UInt32, _ path: String) -> String {
        let user = owner == 0 ? "root" : "user \(owner)"
        let command = Recovery.command(forRing: path)
        return "\(path): belongs to another user; run by \(user), \"\(command)\" writes the records"
    }

    /// Returns why a ring cannot be opened.
    static func refusal(after error: SystemError, _ path: String) -> String {
        guard error.isDenied, let owner = (try? FileStatus.of(path))?.owner, owner != ThisProcess.user else {
            return "\(error)"
        }
        return refusal(ofOwner: owner, path)
    }
}
