package import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension StoredRecord {
    /// Copies a record of a queue. What came from elsewhere gets the time, level, event, logger and numbers of its origin.
    ///
    /// - Parameters:
    ///   - device: The device of a record that names none.
    ///   - indexed: The names of the attributes whose values become ``indexedText``.
    package init(_ view: borrowing RecordView, device: String, indexed: [String] = []) {
        self.init(
            time: view.timestamp, level: view.level, message: view.message, eventName: view.eventName,
            logger: view.logger, device: device, attributes: view.attributes, run: view.run.description,
            sequence: view.sequence == 0 ? nil : view.sequence)
        source = view.source
        trace = view.trace
        setOrigin()
        coordinate = Self.coordinate(of: attributes)
        guard !indexed.isEmpty else { return }
        let values = indexed.compactMap { key in self[key]?.description }
        if !values.isEmpty { indexedText = values.joined(separator: "\n") }
    }

    /// Copies a record.
    package init(_ record: LogRecord, device: String) {
        self.init(
            time: record.timestamp, level: record.level, message: record.message, eventName: record.eventName,
            logger: record.logger, device: device, attributes: record.attributes, run: record.run.description,
            sequence: record.sequence == 0 ? nil : record.sequence)
        source = record.source
        trace = record.trace
        setOrigin()
        coordinate = Self.coordinate(of: attributes)
    }

    /// Moves what the attributes have from the origin into the properties.
    private mutating func setOrigin() {
        let isNamed = attributes.contains { entry in
            entry.key == OriginAttributes.deviceID || entry.key.utf8.starts(with: OriginAttributes.prefix.utf8)
        }
        guard isNamed else { return }
        var (originRun, batch, number): (String?, String?, UInt64?)
        // Who sent it outweighs what it is about.
        for key in [OriginAttributes.deviceID, OriginAttributes.device] {
            if case .string(let name)? = self[key], !name.isEmpty { device = name }
        }
        attributes.removeAll { entry in
            switch (entry.key, entry.value) {
            case (OriginAttributes.device, .string(let name)), (OriginAttributes.deviceID, .string(let name)):
                return name == device
            case (OriginAttributes.run, .string(let text)) where !text.isEmpty: originRun = text
            case (OriginAttributes.batch, .string(let text)) where !text.isEmpty: batch = text
            case (OriginAttributes.sequence, .int(let value)): number = UInt64(bitPattern: value)
            case (OriginAttributes.sequence, .string(let text)) where UInt64(text) != nil: number = UInt64(text)
            case (OriginAttributes.time, let value):
                guard let origin = Self.time(value) else { return false }
                time = origin
            default: return false
            }
            return true
        }
        // A number alone, or a run alone, identifies nothing.
        guard let origin = originRun ?? batch, let number else {
            if let origin = originRun ?? batch {
                let key = originRun == nil ? OriginAttributes.batch : OriginAttributes.run
                attributes.append(LogValueEntry(key, .string(origin)))
            }
            return
        }
        run = origin
        sequence = number
    }

    private static func time(_ value: LogValue) -> Timestamp? {
        switch value {
        case .date(let time): time
        case .int(let nanoseconds): Timestamp(nanoseconds: nanoseconds)
        case .string(let text): RFC3339.timestamp(text)
        default: nil
        }
    }

    /// The place in a record's attributes.
    private static func coordinate(of attributes: [LogValueEntry]) -> Coordinate? {
        var (latitude, longitude): (Double?, Double?)
        for entry in attributes {
            switch entry.key {
            case GeoAttributes.latitude: latitude = degrees(entry.value)
            case GeoAttributes.longitude: longitude = degrees(entry.value)
            default: break
            }
        }
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }

    private static func degrees(_ value: LogValue) -> Double? {
        switch value {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }
}
