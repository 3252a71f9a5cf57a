internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension OriginAttributes {
    /// Converts a sent record to the one that is logged: its time, run and number become attributes. The time by its
    /// machine's monotonic clock is removed, because here it would be compared with those of other machines.
    ///
    /// The attributes of its origin are first: a record that is too long for the queue loses its last attributes.
    ///
    /// A record that has been received before keeps its first origin. Every client with the role `ingest` can therefore
    /// claim any run and number; only the device is determined by the token.
    ///
    /// - Parameters:
    ///   - time: The time of the event; `nil`: unknown.
    ///   - device: The name of the device, unless the client's token belongs to one; `nil`: unknown.
    static func mark(_ record: inout LogRecord, time: Timestamp?, device: String? = nil, _ arrival: Arrival) {
        record.timestamp = arrival.time
        convertTypes(&record.attributes)
        var origin: [LogValueEntry] = []
        var others: [LogValueEntry] = []
        others.reserveCapacity(record.attributes.count)
        for entry in record.attributes where entry.key != GeoKeys.uptime {
            let isOrigin = entry.key.hasPrefix(prefix) || entry.key == GeoKeys.device
            if isOrigin { origin.append(entry) } else { others.append(entry) }
        }
        func add(_ key: String, _ value: LogValue) {
            if !origin.contains(where: { $0.key == key }) { origin.append(LogValueEntry(key, value)) }
        }
        func set(device: String) {
            origin.append(LogValueEntry(Self.device, .string(device)))
            if record.eventName == GeoAttributes.locationEvent {
                origin.append(LogValueEntry(GeoKeys.device, .string(device)))
            }
        }
        if let device = arrival.device {
            origin.removeAll { $0.key == Self.device || $0.key == GeoKeys.device }
            set(device: device)
        } else if let device, !origin.contains(where: { $0.key == Self.device }) {
            if let index = origin.firstIndex(where: { $0.key == GeoKeys.device }) {
                let receiver = origin.remove(at: index).value
                if receiver != .string(device) { add(Self.receiver, receiver) }
            }
            set(device: device)
        }
        if let time { add(Self.time, .date(time)) }
        if record.run != .none {
            add(run, .string("\(record.run)"))
            add(sequence, .int(Int64(clamping: record.sequence)))
        }
        record.attributes = origin + others
        record.run = .none
        record.sequence = 0
    }

    /// Converts attributes that are times from strings.
    private static func convertTypes(_ attributes: inout [LogValueEntry]) {
        for index in attributes.indices {
            guard case .string(let text) = attributes[index].value, GeoKeys.times.contains(attributes[index].key),
                let time = RFC3339.timestamp(text)
            else { continue }
            attributes[index].value = .date(time)
        }
    }
}
