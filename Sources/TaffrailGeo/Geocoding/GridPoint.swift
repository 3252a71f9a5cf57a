/// A coordinate in millionths of a degree.
struct GridPoint: Sendable, Hashable {
    var x: Int32
    var y: Int32

    init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// Reads a coordinate from the file: the latitude, then the longitude.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer) {
        let both = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        self.init(x: Int32(truncatingIfNeeded: both >> 32), y: Int32(truncatingIfNeeded: both))
    }
}
