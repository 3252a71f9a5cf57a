internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension StoredRecord {
    /// The record as a JSON object, with the keys of JSON lines and `id`, `arrival`, `device`, `lat` and `lon`, without
    /// unknown values.
    public var json: [UInt8] {
        var object = JSONObject()
        object.add(self)
        return object.closed
    }

    /// The names of ``columns``.
    package static let columnNames = [
        "time", "level", "device", "logger", "event", "message", "lat", "lon", "attributes",
    ]

    /// The record as columns of CSV: time, level, device, logger, event, message, latitude, longitude and the attributes
    /// in JSON.
    package var columns: [String] {
        var json: [UInt8] = []
        if !attributes.isEmpty { json.append(json: .map(attributes)) }
        return [
            RFC3339.string(time, decimals: 9), level.name, device, logger, eventName ?? "", message,
            coordinate.map { "\($0.latitude)" } ?? "", coordinate.map { "\($0.longitude)" } ?? "",
            String(decoding: json, as: UTF8.self),
        ]
    }
}
