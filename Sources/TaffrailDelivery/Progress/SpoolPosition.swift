/// A position between two records of a spool.
package struct SpoolPosition: Sendable, Hashable, Comparable {
    /// The number of the segment.
    package var segment: UInt64 = 0
    /// The offset of a frame in it.
    package var offset: Int64 = 0
    /// The number of records of the frame before the position.
    package var index = 0

    package static func < (lhs: SpoolPosition, rhs: SpoolPosition) -> Bool {
        (lhs.segment, lhs.offset, lhs.index) < (rhs.segment, rhs.offset, rhs.index)
    }
}
