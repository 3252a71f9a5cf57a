#if Store
internal import GRDB
internal import Taffrail
public import TaffrailQuery
internal import TaffrailText

extension StoredTracks {
    /// The maximum number of intervals of all devices together.
    private static let mostIntervals = 20_000

    /// Returns the measured values of the devices. Positions excluded from trips are omitted.
    public func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer {
        var query = TrackQuery()
        query.since = request.since
        query.until = request.until
        query.device = request.device
        do throws(StoreError) {
            let counts = try reader.counts(query)
            guard let extent = try reader.extent(query) else { return SeriesAnswer(devices: [], interval: .zero) }
            let buckets = max(1, min(request.buckets, Self.mostIntervals / max(1, counts.count)))
            let walk = SeriesWalk(extent, buckets: buckets, device: request.device)
            let most = max(1, request.effort)
            let isSampled = counts.values.reduce(0, +) > most
            let found = try reader.read { try walk.run(mostEach: isSampled ? max(1, most / buckets) : nil, $0) }
            return SeriesAnswer(devices: found, interval: .milliseconds(walk.interval), isSampled: isSampled)
        } catch {
            throw LogQueryError(error)
        }
    }
}

/// Reads the points of intervals of equal length.
private struct SeriesWalk {
    /// The length of an interval in milliseconds.
    let interval: Int64
    private let extent: Range<Int64>
    private let device: String?

    init(_ extent: Range<Int64>, buckets: Int, device: String?) {
        self.extent = extent
        self.device = device
        interval = max(1, (extent.upperBound - extent.lowerBound + Int64(buckets) - 1) / Int64(buckets))
    }

    /// Reads the series.
    ///
    /// - Parameter most: The maximum number of points read in each interval, from its start; `nil`: all.
    /// - Returns: The series, by the devices' names.
    func run(mostEach most: Int?, _ db: Database) throws -> [DeviceSeries] {
        let known = try StoreReader.devices(device, db)
        // A damaged index may contain a number twice.
        let names = Dictionary(known.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        let number = device.map { _ in known.first?.number ?? -1 }
        let points = """
            SELECT device, speed, altitude, battery FROM point
            WHERE time >= ? AND time < ? AND flags & ? = 0 AND (? IS NULL OR device = ?) ORDER BY time, hash LIMIT ?
            """
        let sql = """
            SELECT device, min(speed), max(speed), min(altitude), max(altitude), min(battery), max(battery)
            FROM (\(points)) GROUP BY device
            """
        let statement = try db.cachedStatement(sql: sql)
        var found: [Int64: DeviceSeries] = [:]
        for start in stride(from: extent.lowerBound, to: extent.upperBound, by: Int64.Stride(interval)) {
            let rows = try Row.fetchAll(
                statement,
                arguments: [
                    start, min(extent.upperBound, start &+ interval), TrackPoint.Flags.excluded.rawValue, number,
                    number,
                    Int64(most ?? -1),
                ])
            for row in rows {
                var series = found[row[0]] ?? DeviceSeries(device: names[row[0]] ?? "")
                Self.add(row[1], row[2], at: start, to: &series.speed)
                Self.add(row[3], row[4], at: start, to: &series.altitude)
                Self.add(row[5], row[6], at: start, to: &series.battery)
                found[row[0]] = series
            }
        }
        return found.values.sorted { ExactText($0.device) < ExactText($1.device) }
    }

    /// Values are stored in hundredths.
    private static func add(
        _ least: Int64?, _ greatest: Int64?, at start: Int64, to values: inout [DeviceSeries.Values]
    ) {
        guard let least, let greatest else { return }
        values.append(
            DeviceSeries.Values(
                time: Timestamp(nanoseconds: start &* 1_000_000), least: Double(least) / 100,
                greatest: Double(greatest) / 100))
    }
}
#endif
