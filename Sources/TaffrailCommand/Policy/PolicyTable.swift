internal import TaffrailGeo
internal import TaffrailText

/// The comparison as text.
enum PolicyTable {
    /// Returns a table with a line for each policy.
    static func text(_ entries: [PolicyEntry], heading: String = "policy", marksBest: Bool = false) -> String {
        let head = [
            heading, "pings", "moving h", "day h", "home/night h", "gps h", "energy J", "error mean m", "95 % m",
            "max m",
        ]
        let rows = entries.map { entry -> [String] in
            let result = entry.result
            return [
                entry.name + (marksBest && entry.isBest ? " *" : ""), "\(result.pings)",
                hours(result.times[.moving]), hours(result.times[.stationaryDay]), hours(result.times[.homeOrNight]),
                hours(result.gpsTime),
                DecimalText.string(result.energy, decimals: 1), metres(result.error.mean),
                metres(result.error.quantile(0.95)), metres(result.error.maximum),
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + space : space + text
            }.joined(separator: "  ")
        }.joined(separator: "\n") + "\n"
    }

    /// One JSON object per line, in SI units.
    static func json(_ entry: PolicyEntry) -> String {
        let result = entry.result
        var json = JSONObject()
        json.add("policy", entry.name)
        json.add("pings", whole: result.pings)
        json.add("moving_s", seconds(result.times[.moving]))
        json.add("stationary_day_s", seconds(result.times[.stationaryDay]))
        json.add("home_or_night_s", seconds(result.times[.homeOrNight]))
        json.add("gps_s", seconds(result.gpsTime))
        json.add("energy_j", result.energy)
        json.add("error_mean_m", result.error.mean)
        json.add("error_p95_m", result.error.quantile(0.95))
        json.add("error_max_m", result.error.maximum)
        json.add("best", entry.isBest)
        return json.string
    }

    /// Marks the entries for which no other entry has both less energy and less error.
    static func markBest(_ entries: inout [PolicyEntry]) {
        // Without a ping there is no track, and the error is not known.
        let points = entries.map { (energy: $0.result.energy, error: $0.result.error.mean ?? .infinity) }
        for (index, point) in points.enumerated() {
            entries[index].isBest =
                point.error.isFinite
                && !points.contains { other in
                    other.energy <= point.energy && other.error <= point.error
                        && (other.energy < point.energy || other.error < point.error)
                }
        }
    }

    private static func metres(_ value: Double?) -> String { value.map { DecimalText.string($0, decimals: 1) } ?? "-" }

    private static func hours(_ time: Duration?) -> String { DecimalText.string(seconds(time) / 3_600, decimals: 2) }

    private static func seconds(_ time: Duration?) -> Double { (time ?? .zero) / .seconds(1) }
}
