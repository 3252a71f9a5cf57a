extension LockedLog {
    mutating func settle(block intent: WriteIntent) throws(SystemError) {
        let noted: LiveFile
        if let live, live.identity == intent.file, let status = try liveStatus(), live.is(status) {
            noted = live
        } else {
            guard let status = try FileStatus.of(log.live), status.isRegular, status.inode == intent.file.inode else {
                return
            }
            let file = try FileDescriptor(log.live, [.readWrite, .append, .ownFile])
            let identity = file.identity(try file.status())
            guard identity == intent.file else { return }
            noted = LiveFile(file, identity, started: 0)
        }
        if uncut == intent {
            try noted.cut(to: intent.start)
        } else if intent.text.isEmpty {
            try noted.cutTornLine(from: intent.start)
        } else if let position = readCheckpoint(ringPath(intent), intent.run, intent.sinkSlot) {
            if position < intent.end { try noted.cut(to: intent.start) }
        } else {
            _ = try noted.endTornLine(size: noted.file.status().size)
        }
        unsynchronized.live = true
    }

    func settle(rotation intent: WriteIntent) throws(SystemError) {
        // If a link was used instead of a rename, both names may exist: then the rename has not happened yet.
        let target = log.file(String(decoding: intent.text, as: UTF8.self))
        guard let live = try FileStatus.of(log.live), live.device == intent.file.device,
            live.inode == intent.file.inode,
            let other = try FileStatus.of(target), other.device == live.device, other.inode == live.inode
        else { return }
        try FileName.removeIfPresent(target)
    }

    private func ringPath(_ intent: WriteIntent) -> String {
        let text = String(decoding: intent.text, as: UTF8.self)
        return intent.text.contains(UInt8(ascii: "/")) ? text : log.state + "/" + text
    }

    /// A ring's path as stored in an intent: only the file name if it is in the directory of the state file.
    ///
    /// - Returns: `nil` when it is too long.
    func ringText(_ path: String) -> [UInt8]? {
        var bytes = Array(path.utf8)
        let beside = Array((log.state + "/").utf8)
        if bytes.starts(with: beside) && !bytes.dropFirst(beside.count).contains(UInt8(ascii: "/")) {
            bytes.removeFirst(beside.count)
        }
        return bytes.count <= WriteIntent.longestText ? bytes : nil
    }
}
