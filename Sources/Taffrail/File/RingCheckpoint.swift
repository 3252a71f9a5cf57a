/// Reads a sink's position in a ring's header, for comparison with the intent of a block.
package enum RingCheckpoint {
    /// Reads the position of a sink in a ring, given the ring's file, its run and the sink's slot. `nil` when that ring is
    /// gone, so that no one will write its records again, or another user's. Throws when that cannot be determined now.
    package typealias Reader =
        @Sendable (_ ring: String, _ run: RingID, _ slot: Int) throws(SystemError) -> UInt64?

    /// The position of a sink according to the ring's file. The file may belong to a running program, and is as
    /// untrusted as any ring: only a regular file of the current user with a valid header counts.
    package static let read: Reader = { path, run, slot throws(SystemError) in
        do throws(SystemError) {
            let file = try FileDescriptor(path, [.read, .ownFile])
            let status = try file.status()
            guard status.isRegular, status.owner == ThisProcess.user || ThisProcess.user == 0,
                (0..<RingHeader.sinkSlots).contains(slot)
            else {
                return nil
            }
            // A copy, because a header is accessed through pointers.
            let bytes = try file.read(RingHeader.length, at: 0)
            guard bytes.count == RingHeader.length else { return nil }
            let copy = UnsafeMutableRawPointer.allocate(byteCount: RingHeader.length, alignment: 16)
            defer { copy.deallocate() }
            bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: $0)
            }
            let header = RingHeader(base: copy)
            guard header.problem(fileLength: Int(status.size)) == nil, header.run == run else { return nil }
            return header.position(ofSlot: slot)
        } catch {
            // A symbolic link is not a ring. A ring that this user may not read would block the log for ever.
            if error.isMissing || [Errno.linkLoop, Errno.accessDenied].contains(error.code) { return nil }
            throw error
        }
    }
}
