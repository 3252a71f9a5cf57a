public import TaffrailGeo
internal import TaffrailText

/// The statistics of each receiver of a track, computed separately. Updated event by event. Names are compared by their
/// bytes.
public struct ReceiverStatistics: Sendable, Hashable {
    /// The statistics of each receiver, in order of appearance; without a name if the track has none.
    public var receivers: [(device: String, statistics: TrackStatistics)] {
        zip(devices, statistics).map { ($0.text, $1) }
    }

    private var devices: [ExactText] = []
    private var statistics: [TrackStatistics] = []

    /// No events yet.
    public init() {}

    /// Adds an event. An error that names no receiver counts for all of them.
    public mutating func add(_ event: GeoEvent) {
        guard case .location(let location) = event else {
            let device = (event.error?.device).map { ExactText($0) }
            for index in statistics.indices where device == nil || device == devices[index] {
                statistics[index].add(event)
            }
            return
        }
        let device = ExactText(location.extra.device ?? "")
        if let index = devices.firstIndex(of: device) { return statistics[index].add(event) }
        devices.append(device)
        var new = TrackStatistics()
        new.add(event)
        statistics.append(new)
    }

    /// A table for each receiver, with its name if there are several.
    public var table: String { table(in: .metric) }

    /// Returns the tables with distances and speeds in the given units.
    public func table(in units: TrackUnits) -> String {
        guard statistics.count > 1 else { return (statistics.first ?? TrackStatistics()).table(in: units) }
        return zip(devices, statistics).map { "receiver            \($0.text)\n\($1.table(in: units))" }
            .joined(separator: "\n")
    }

    /// A JSON object per line for each receiver, with its name if there are several.
    public var json: String {
        guard statistics.count > 1 else { return (statistics.first ?? TrackStatistics()).json }
        return zip(devices, statistics).map { device, statistics in
            var object = JSONObject()
            object.add("device", device.text)
            statistics.add(to: &object)
            return object.string + "\n"
        }.joined()
    }
}
