#if Store
internal import Taffrail

/// A block: the points of one device in one hour since 1970.
struct BlockKey: Hashable {
    var device: Int64
    var hour: Int64

    /// The milliseconds of an hour.
    static let length: Int64 = 3_600_000
}

extension BlockKey {
    /// Returns the block of a device's point.
    ///
    /// - Parameter time: Milliseconds since 1970.
    init(device: Int64, time: Int64) {
        self.init(device: device, hour: CivilTime.floorDivide(time, by: Self.length))
    }

    /// Returns whether a time is in its hour.
    func contains(_ time: Int64) -> Bool {
        let start = hour &* Self.length
        return time >= start && time &- start < Self.length
    }
}
#endif
