public import Taffrail
internal import TaffrailText

extension Location {
    /// The location as attributes, in a fixed order; unknown values are omitted.
    public var attributes: [LogValueEntry] {
        var entries: [LogValueEntry] = []
        entries.reserveCapacity(LocationField.allCases.count)
        forEachField { entries.append(LogValueEntry($0.attribute, $1)) }
        return entries
    }

    /// The same attributes, written into a record.
    var logAttributes: LogAttributes {
        LogAttributes { builder in forEachField { builder.add($0.names.attribute, $1) } }
    }

    /// Creates a location from attributes, in any order; unknown ones are ignored, and the first of several equal
    /// names counts.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of a record.
    ///   - received: The time of the fix, if the attributes have none.
    /// - Returns: `nil` without a valid latitude and longitude.
    public init?(attributes: [LogValueEntry], received: Timestamp) {
        self.init(latitude: .nan, longitude: .nan, timestamp: received)
        var expected = 0
        var seen: UInt32 = 0
        for entry in attributes {
            var key = entry.key
            let field = key.withUTF8 { LocationField.find(attribute: UnsafeRawBufferPointer($0), expected: &expected) }
            if let field, Self.isFirst(field, &seen) { set(field, entry.value) }
        }
        guard coordinate.isValid else { return nil }
    }

    /// Creates a location from a record's attributes, as above.
    init?(_ view: borrowing RecordView) {
        self.init(latitude: .nan, longitude: .nan, timestamp: view.timestamp)
        var expected = 0
        var seen: UInt32 = 0
        view.forEachAttribute { attribute in
            guard let field = LocationField.find(attribute: attribute.key, expected: &expected) else { return }
            if Self.isFirst(field, &seen) { set(field, attribute.logValue) }
        }
        guard coordinate.isValid else { return nil }
    }

    /// Returns whether a field has not been seen before, and marks it.
    private static func isFirst(_ field: LocationField, _ seen: inout UInt32) -> Bool {
        let bit = UInt32(1) << UInt32(field.rawValue)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// One line for text sinks: the coordinate, the accuracy and the speed, if known.
    public var summary: String { String(decoding: summaryBytes, as: UTF8.self) }

    /// The same as UTF-8.
    var summaryBytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64)
        text.append(real: coordinate.latitude, decimals: 6)
        text.append(", ")
        text.append(real: coordinate.longitude, decimals: 6)
        if let horizontalAccuracy {
            text.append(" ±")
            text.append(real: horizontalAccuracy, decimals: 1)
            text.append(" m")
        }
        if let speed {
            text.append(" ")
            text.append(real: speed, decimals: 1)
            text.append(" m/s")
        }
        return text
    }
}
