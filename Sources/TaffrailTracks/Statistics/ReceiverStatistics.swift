public import TaffrailGeo
internal import TaffrailText

/// The statistics of each receiver of a track: positions of several are several tracks. Fed event by event.
public struct ReceiverStatistics: Sendable, Hashable {
    /// Each receiver's, in the order in which they first had a position; without a name where the track names none.
    public var receivers: [(device: String, statistics: TrackStatistics)] { zip(devices, statistics).map { ($0, $1) } }

    private var devices: [String] = []
    private var statistics: [TrackStatistics] = []

    /// Nothing seen yet.
    public init() {}

    /// Takes an event in. An error counts for all, since it names no receiver.
    public mutating func add(_ event: GeoEvent) {
        guard case .location(let location) = event else {
            for index in statistics.indices { statistics[index].add(event) }
            return
        }
        let device = location.extra.device ?? ""
        if let index = devices.firstIndex(of: device) { return statistics[index].add(event) }
        devices.append(device)
        var new = TrackStatistics()
        new.add(event)
        statistics.append(new)
    }

    /// A table for each receiver, below its name where there are several.
    public var table: String {
        guard statistics.count > 1 else { return (statistics.first ?? TrackStatistics()).table }
        return zip(devices, statistics).map { "receiver            \($0)\n\($1.table)" }.joined(separator: "\n")
    }

    /// A JSON object a line for each receiver, with its name where there are several.
    public var json: String {
        guard statistics.count > 1 else { return (statistics.first ?? TrackStatistics()).json }
        return zip(devices, statistics).map { device, statistics in
            var bytes = Array("{\"device\":".utf8)
            bytes.append(json: device)
            return String(decoding: bytes, as: UTF8.self) + "," + statistics.json.dropFirst()
        }.joined()
    }
}
