#if Store
internal import Foundation
internal import Taffrail
internal import TaffrailText

/// The primary key of a point: its time in milliseconds and a hash of device, time and coordinates.
///
/// Keys are in chronological order, so that new points are appended to the table and a period is a contiguous range.
struct PointKey: Hashable, Comparable {
    /// Milliseconds since 1970, rounded down.
    let time: Int64
    /// The hash.
    let hash: UInt64
    /// Nanoseconds below the millisecond, 0 to 999,999.
    let nanoseconds: Int64

    init(_ point: TrackPoint) {
        let place = ScaledCoordinate(point.coordinate)
        self.init(timestamp: point.timestamp, lat: place.lat, lon: place.lon, device: Self.hash(of: point.device))
    }

    /// - Parameters:
    ///   - lat: In units of 1e-7 degrees, like `lon`.
    ///   - device: The hash of the device's name.
    init(timestamp: Timestamp, lat: Int64, lon: Int64, device: UInt64) {
        time = timestamp.milliseconds()
        nanoseconds = timestamp.nanoseconds &- time &* 1_000_000
        var hash = StableHash.mixed(device ^ UInt64(bitPattern: timestamp.nanoseconds))
        hash = StableHash.mixed(hash ^ UInt64(bitPattern: lat))
        self.hash = StableHash.mixed(hash ^ UInt64(bitPattern: lon))
    }

    /// Returns the hash of a name: FNV-1a of its UTF-8.
    static func hash(of name: String) -> UInt64 {
        StableHash.fnv1a(name.storable.utf8)
    }

    static func < (lhs: PointKey, rhs: PointKey) -> Bool {
        // A database compares the hash as a signed number.
        (lhs.time, Int64(bitPattern: lhs.hash)) < (rhs.time, Int64(bitPattern: rhs.hash))
    }

    /// The key as a UUID: 48 bits of time, version 8, 12 bits of the hash, the variant, 10 bits of microseconds, 52 bits of the hash.
    var uuid: UUID {
        let high = UInt64(bitPattern: time) << 16 | 0x8000 | hash >> 52
        let low = 0x8000_0000_0000_0000 | UInt64(nanoseconds / 1_000) << 52 | hash & 0xF_FFFF_FFFF_FFFF
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
#endif
