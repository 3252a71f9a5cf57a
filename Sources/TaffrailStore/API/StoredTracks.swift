#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
public import TaffrailQuery
internal import TaffrailText
internal import TaffrailTracks

/// The tracks in a store of positions, in the form of answers to queries.
public struct StoredTracks: TrackSource {
    let reader: StoreReader

    /// Creates a source.
    public init(_ reader: StoreReader) { self.reader = reader }

    /// Returns the tracks of the devices that have matching positions, by the devices' names. Positions that are
    /// excluded from trips are omitted.
    public func tracks(_ request: TracksRequest) throws(LogQueryError) -> DeviceTracks {
        var query = TrackQuery()
        query.since = request.since
        query.until = request.until
        query.box = request.box
        query.device = request.device
        query.includesExcluded = false
        do throws(StoreError) {
            if let found = try shape(request, query) { return found }
        } catch {
            throw LogQueryError(error)
        }
        query.isNewestFirst = true
        let effort = max(1, request.effort)
        query.limit = effort
        var points: [ExactText: [DeviceTrack.Point]] = [:]
        var (count, first) = (0, Timestamp?.none)
        let isWhole: Bool
        do throws(StoreError) {
            isWhole = try reader.forEachInTime(query) { point in
                points[ExactText(point.device), default: []].append(
                    DeviceTrack.Point(time: point.timestamp, coordinate: point.coordinate, speed: point.speed))
                count += 1
                first = point.timestamp
            }
        } catch {
            throw LogQueryError(error)
        }
        let whole = points.sorted { $0.key < $1.key }.map { (device: $0.key.text, points: Array($0.value.reversed())) }
        var answer = Self.simplified(whole, request)
        if !isWhole || count >= effort { answer.since = first }
        return answer
    }

    /// Returns the visits and trips of the devices.
    public func journeys(_ request: TracksRequest) throws(LogQueryError) -> DeviceJourneys {
        var query = TrackQuery()
        query.since = request.since
        query.until = request.until
        query.box = request.box
        query.device = request.device
        let found: Journeys
        do throws(StoreError) { found = try reader.journeys(query) } catch { throw LogQueryError(error) }
        return DeviceJourneys(
            visits: found.visits.map {
                DeviceVisit(
                    device: $0.device, coordinate: $0.center, arrival: $0.arrival, departure: $0.departure,
                    isOpen: $0.isOpen)
            },
            trips: found.trips.map {
                DeviceTrip(
                    device: $0.device, from: $0.from, to: $0.to, departure: $0.departure, arrival: $0.arrival,
                    distance: $0.distance, start: $0.start.rawValue, end: $0.end.rawValue, points: $0.points)
            })
    }

    /// Returns the tracks with at most as many positions as the request allows.
    private static func simplified(
        _ tracks: [(device: String, points: [DeviceTrack.Point])], _ request: TracksRequest
    ) -> DeviceTracks {
        var tolerance = request.tolerance.isFinite ? max(0, request.tolerance) : 0
        while true {
            let found = tracks.map { track($0.device, $0.points, tolerance) }
            let count = found.reduce(0) { $0 + $1.points.count }
            // No line is longer than half a meridian; beyond that, only the ends of tracks remain.
            if count <= max(1, request.limit) || tolerance > 20_000_000 {
                return DeviceTracks(tracks: found, tolerance: tolerance)
            }
            tolerance = max(1, tolerance * 4)
        }
    }

    private static func track(_ device: String, _ points: [DeviceTrack.Point], _ tolerance: Double) -> DeviceTrack {
        guard tolerance > 0 else { return DeviceTrack(device: device, points: points, total: points.count) }
        let kept = TrackSimplification.indices(points.map(\.coordinate), tolerance: tolerance)
        return DeviceTrack(device: device, points: kept.map { points[$0] }, total: points.count)
    }
}
#endif
