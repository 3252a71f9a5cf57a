internal import Glibc

extension LockedLog {
    /// Does what is left of a note that somebody could not clear any more (decision 0002).
    mutating func settle() throws(SystemError) {
        guard let state, LogNote.isPresent(in: state.slot) else { return }
        if let note = LogNote(in: state.slot), note.boot == .current, note.boot != .unknown {
            switch note.kind {
            case .block: try settle(block: note)
            case .rotation: try settle(rotation: note)
            }
        }
        // Whether the block is in the counts, nobody knows.
        try state.forgetCounts()
        try state.clearNote()
        uncut = nil
    }

    private mutating func settle(block note: LogNote) throws(SystemError) {
        let noted: LiveFile
        if let live, live.identity == note.file, let status = try liveStatus(), live.is(status) {
            noted = live
        } else {
            guard let status = try FileStatus.of(log.live), status.isRegular, status.inode == note.file.inode else {
                return
            }
            let file = try FileDescriptor(log.live, [.readWrite, .append, .ownFile])
            let identity = file.identity(try file.status())
            guard identity == note.file else { return }
            noted = LiveFile(file, identity, started: 0)
        }
        if uncut == note {
            try noted.cut(to: note.start)
        } else if note.text.isEmpty {
            try noted.cutTornLine(from: note.start)
        } else if let position = readJournal(ringPath(note), note.run, note.sinkSlot) {
            if position < note.end { try noted.cut(to: note.start) }
        } else {
            _ = try noted.endTornLine(size: noted.file.status().size)
        }
        unsynchronized.live = true
    }

    private func settle(rotation note: LogNote) throws(SystemError) {
        // Where a link stood in for the rename, both names may be there: then it has not happened yet.
        let target = log.file(String(decoding: note.text, as: UTF8.self))
        guard let live = try FileStatus.of(log.live), live.device == note.file.device, live.inode == note.file.inode,
            let other = try FileStatus.of(target), other.device == live.device, other.inode == live.inode
        else { return }
        if unlink(target) != 0 && errno != ENOENT { throw SystemError("delete \(target)") }
    }

    private func ringPath(_ note: LogNote) -> String {
        let text = String(decoding: note.text, as: UTF8.self)
        return note.text.contains(UInt8(ascii: "/")) ? text : log.state + "/" + text
    }

    /// How a ring's path stands in a note: by its name alone where it lies beside the state file.
    ///
    /// - Returns: `nil` when it is too long.
    func notedRing(_ path: String) -> [UInt8]? {
        var bytes = Array(path.utf8)
        let beside = Array((log.state + "/").utf8)
        if bytes.starts(with: beside) && !bytes.dropFirst(beside.count).contains(UInt8(ascii: "/")) {
            bytes.removeFirst(beside.count)
        }
        return bytes.count <= LogNote.longestText ? bytes : nil
    }
}
