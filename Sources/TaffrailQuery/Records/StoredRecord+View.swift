package import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension StoredRecord {
    /// Copies a record of a queue. A received record gets the time, device, run and number of its origin.
    ///
    /// - Parameters:
    ///   - device: The device of a record of this program that does not name one.
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

    /// Copies the records of a batch.
    ///
    /// - Parameters:
    ///   - device: The device of records of this program that name none.
    ///   - indexed: The names of the attributes whose values become ``indexedText``.
    /// - Returns: The records, and the position in the queue after each of them.
    package static func all(
        in batch: borrowing RecordBatch, device: String, indexed: [String] = []
    ) -> (records: [StoredRecord], ends: [UInt64]) {
        var records: [StoredRecord] = []
        var ends: [UInt64] = []
        records.reserveCapacity(batch.count)
        ends.reserveCapacity(batch.count)
        batch.forEach { view in
            records.append(StoredRecord(view, device: device, indexed: indexed))
            ends.append(view.end)
        }
        return (records, ends)
    }

    /// Copies a record.
    package init(_ record: LogRecord, device: String) {
        self.init(
            time: record.timestamp, level: record.level, message: record.message, eventName: record.eventName,
            logger: record.logger, device: device, attributes: record.attributes,
            run: record.run == .none ? "" : record.run.description,
            sequence: record.sequence == 0 ? nil : record.sequence)
        source = record.source
        trace = record.trace
        setOrigin()
        coordinate = Self.coordinate(of: attributes)
    }

    /// Moves the values of the origin from the attributes into the properties. Values that do not fit there stay
    /// attributes.
    private mutating func setOrigin() {
        let isReceived = attributes.contains { $0.key.utf8.starts(with: OriginAttributes.prefix.utf8) }
        guard isReceived || attributes.contains(where: { $0.key == OriginAttributes.deviceID }) else { return }
        // The name of this machine is not the sender's name.
        if isReceived { device = "" }
        // The device that sent a record takes precedence over the device to which the record refers.
        for key in [OriginAttributes.deviceID, OriginAttributes.device] {
            if case .string(let name)? = self[key], !name.isEmpty { device = name }
        }
        // A number alone, or a run alone, does not identify a record.
        let number = self[OriginAttributes.sequence].flatMap(Self.number)
        var identity: String?
        for (key, kind) in [(OriginAttributes.run, RunKind.received), (OriginAttributes.batch, .batch)] {
            guard identity == nil, let number, case .string(let name)? = self[key], !name.isEmpty else { continue }
            (run, runKind, sequence, identity) = (name, kind, number, key)
        }
        attributes.removeAll { entry in
            switch entry.key {
            case OriginAttributes.device, OriginAttributes.deviceID: return entry.value == .string(device)
            case OriginAttributes.run, OriginAttributes.batch: return entry.key == identity
            case OriginAttributes.sequence: return identity != nil
            case OriginAttributes.time:
                guard let origin = Self.time(entry.value) else { return false }
                time = origin
                return true
            default: return false
            }
        }
    }

    private static func number(_ value: LogValue) -> UInt64? {
        value.integer.map { UInt64(bitPattern: $0) } ?? value.text.flatMap { UInt64($0) }
    }

    private static func time(_ value: LogValue) -> Timestamp? {
        switch value {
        case .date(let time): time
        case .int(let nanoseconds): Timestamp(nanoseconds: nanoseconds)
        case .string(let text): RFC3339.timestamp(text)
        default: nil
        }
    }

    /// Returns the coordinate in a record's attributes.
    private static func coordinate(of attributes: [LogValueEntry]) -> Coordinate? {
        var (latitude, longitude): (Double?, Double?)
        for entry in attributes {
            switch entry.key {
            case GeoAttributes.latitude: latitude = entry.value.number
            case GeoAttributes.longitude: longitude = entry.value.number
            default: break
            }
        }
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }
}
