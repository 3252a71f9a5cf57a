/// Up to which position a sink has the records of a ring, given the ring's file, its run and the sink's place in
/// the table. `nil` when that ring is gone, is another run's, or cannot be read.
package typealias CheckpointReader = @Sendable (_ ring: String, _ run: RingID, _ slot: Int) -> UInt64?

/// Reads a sink's position in a ring's header: what the intent of a block is compared with.
package enum RingCheckpoint {
    /// The position of a sink as the ring's file tells it. The file may be that of a running program, and is as
    /// untrusted as any ring: only a regular file of our own user with a sound header counts.
    package static let read: CheckpointReader = { path, run, slot in
        do throws(SystemError) {
            let file = try FileDescriptor(path, [.read, .ownFile])
            let status = try file.status()
            guard status.isRegular, status.owner == ThisProcess.user || ThisProcess.user == 0,
                (0..<RingHeader.sinkSlots).contains(slot)
            else {
                return nil
            }
            // A copy, because a header is read through pointers.
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
            return nil
        }
    }
}
