internal import Taffrail

/// How far a spool has got in each run: the ring position and the number of the last record. Stored in each segment's
/// header and with each frame.
struct SpoolMarks: Sendable, Equatable {
    struct Mark: Sendable, Equatable {
        let ring: RingMark
        /// The number of the last record.
        let sequence: UInt64
    }

    /// In the order of their last change, newest last.
    private(set) var all: [Mark] = []

    /// More runs than a queue's directory can reasonably have: beyond it, the oldest mark is dropped, and the position
    /// in the ring itself is used.
    static let limit = 160

    subscript(run: RingID) -> Mark? { all.last { $0.ring.run == run } }

    /// Sets the mark of a frame, if it has one.
    mutating func note(_ mark: Mark?) {
        if let mark { set(mark) }
    }

    /// Adds the marks that are further ahead than the known ones.
    mutating func merge(_ others: SpoolMarks) {
        for mark in others.all where (self[mark.ring.run]?.ring.position).map({ $0 < mark.ring.position }) ?? true {
            set(mark)
        }
    }

    /// Sets a mark.
    mutating func set(_ mark: Mark) {
        if let last = all.indices.last, all[last].ring.run == mark.ring.run {
            all[last] = mark
            return
        }
        all.removeAll { $0.ring.run == mark.ring.run }
        all.append(mark)
        if all.count > Self.limit { all.removeFirst() }
    }
}

extension SpoolMarks.Mark {
    /// Run, ring position and last sequence number.
    static let size = 24

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(
            ring: RingMark(
                run: RingID(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                position: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)),
            sequence: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
    }

    func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        bytes.storeBytes(of: ring.run.value, toByteOffset: offset, as: UInt64.self)
        bytes.storeBytes(of: ring.position, toByteOffset: offset + 8, as: UInt64.self)
        bytes.storeBytes(of: sequence, toByteOffset: offset + 16, as: UInt64.self)
    }
}
