/// Reads a sink's position in a ring's header, for comparison with the intent of a block.
package enum RingCheckpoint {
    /// Reads the position of a sink in a ring, given the ring's file, its run and the sink's slot. `nil` when that ring is
    /// gone, so that no one will write its records again, or another user's. Throws when that cannot be determined now.
    package typealias Reader = @Sendable (_ ring: String, _ run: RingID, _ slot: Int) throws(SystemError) -> UInt64?

    /// The position of a sink according to the ring's file. The file may belong to a running program, and is as
    /// untrusted as any ring: only a regular file of the current user with a valid header counts.
    package static func read(_ path: String, _ run: RingID, _ slot: Int) throws(SystemError) -> UInt64? {
        do throws(SystemError) {
            let file = try FileDescriptor(path, [.read, .ownFile])
            let status = try file.status()
            guard status.isRegular, status.owner == ThisProcess.user || ThisProcess.user == 0,
                (0..<RingHeader.sinkSlots).contains(slot)
            else { return nil }
            // A copy, because a header is accessed through pointers.
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: RingHeader.length, alignment: 16)
            defer { copy.deallocate() }
            guard let base = copy.baseAddress, try file.read(into: copy, at: 0) == copy.count else { return nil }
            let header = RingHeader(base: base)
            guard header.problem(fileLength: Int(status.size)) == nil, header.run == run else { return nil }
            return header.position(ofSlot: slot)
        } catch {
            // A symbolic link is not a ring. A ring that this user may not read would block the log for ever.
            if error.isMissing || [Errno.linkLoop, Errno.accessDenied].contains(error.code) { return nil }
            throw error
        }
    }
}
