public import Taffrail
public import TaffrailGeo

/// A device that has logged.
public struct LogDevice: Sendable, Hashable {
    /// The name; empty for records that name none.
    public var name: String
    /// The number of its records.
    public var records: Int
    /// The time of its last record.
    public var last: Timestamp?
    /// Its last known position.
    public var coordinate: Coordinate?
    /// The time of that position.
    public var coordinateTime: Timestamp?

    /// Creates a device.
    public init(
        name: String, records: Int, last: Timestamp? = nil, coordinate: Coordinate? = nil,
        coordinateTime: Timestamp? = nil
    ) {
        self.name = name
        self.records = records
        self.last = last
        self.coordinate = coordinate
        self.coordinateTime = coordinateTime
    }
}
