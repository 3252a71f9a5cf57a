#if Store
internal import Taffrail
internal import TaffrailGeo
public import TaffrailQuery
internal import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

extension StoredTracks {
    /// Returns the pieces of a route. Positions that are excluded from trips are omitted.
    public func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks {
        let all = try trips(of: request)
        do throws(RecordingError) {
            let whole = try Self.pieces(of: Self.track(all, request, tolerance: 0))
            let kept = try Self.pieces(of: Self.track(all, request, tolerance: request.tolerance))
            let tracks = zip(whole, kept).map { whole, kept in
                DeviceTrack(device: kept.device, points: kept.points, total: whole.points.count)
            }
            return DeviceTracks(tracks: tracks, tolerance: request.tolerance)
        } catch {
            throw LogQueryError(.unavailable, "\(error)")
        }
    }

    /// Returns a route as a file.
    public func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8] {
        let all = try trips(of: request)
        let devices = Set(request.trips.map { ExactText($0.device) }).sorted().map(\.text).joined(separator: ", ")
        let output = TextOutput()
        do throws(RecordingError) {
            // The times are those of the events.
            let metadata = RecordingMetadata(recordedAt: Timestamp(nanoseconds: 0), device: devices)
            _ = try TrackConversion(
                of: "the route", as: devices, metadata: metadata, mayBeEmpty: false,
                to: { () throws(RecordingError) in output }, format == .gpx ? .gpx : .json
            ) { () throws(RecordingError) in Self.track(all, request, tolerance: request.tolerance) }
        } catch {
            throw LogQueryError(.invalid, error.reason)
        }
        return output.bytes
    }

    /// Returns the positions of each trip.
    private func trips(of request: RouteRequest) throws(LogQueryError) -> [[RecordedEvent]] {
        var trips: [[RecordedEvent]] = []
        var left = request.limit
        for trip in request.trips.sorted(by: { $0.start < $1.start }) {
            var query = TrackQuery()
            query.since = trip.start
            query.until = trip.end
            query.device = trip.device
            query.includesExcluded = false
            query.limit = left + 1
            var events: [RecordedEvent] = []
            do {
                try reader.forEach(query) { point in
                    var location = point.location
                    location.extra.device = point.device.isEmpty ? nil : point.device
                    events.append(
                        RecordedEvent(timestamp: location.timestamp, relativeTime: 0, event: .location(location)))
                }
            } catch {
                throw LogQueryError(StoreError(error, path: reader.path))
            }
            left -= events.count
            guard left >= 0 else {
                throw LogQueryError(
                    .invalid, "the route has more than \(request.limit) positions: choose fewer trips",
                    parameter: "trip")
            }
            trips.append(events)
        }
        return trips
    }

    /// Returns the edited track.
    private static func track(
        _ trips: [[RecordedEvent]], _ request: RouteRequest, tolerance: Double
    ) -> any TrackReader {
        let merged = MergedTrack(trips.map { MergedTrack.Part(EventTrack($0)) })
        let cut = CutTrack(merged, from: request.from.map { .time($0) }, to: request.to.map { .time($0) })
        return tolerance > 0 ? SimplifiedTrack(cut, tolerance: tolerance) : cut
    }

    /// Returns the pieces of a track: they end where it is interrupted, and each has one device.
    private static func pieces(
        of track: any TrackReader
    ) throws(RecordingError) -> [(device: String, points: [DeviceTrack.Point])] {
        var pieces: [(device: String, points: [DeviceTrack.Point])] = []
        var open: [ExactText: Int] = [:]
        while let event = try track.next() {
            guard let location = event.event.location else {
                if event.event.error != nil { open = [:] }
                continue
            }
            let device = location.extra.device ?? ""
            let index = open[ExactText(device)] ?? pieces.count
            if index == pieces.count { pieces.append((device, [])) }
            open[ExactText(device)] = index
            pieces[index].points.append(
                DeviceTrack.Point(time: location.timestamp, coordinate: location.coordinate, speed: location.speed))
        }
        return pieces
    }
}
#endif
