package import Taffrail
internal import TaffrailText

/// The names of recordings: `geo_log_YYYY-MM-DD_HH-MM-SS.json`, with the start in UTC. Further recordings of the same
/// second get `_2`, `_3`, ….
package enum RecordingName {
    /// Returns the name for a start, with the number of the recording within its second.
    package static func name(_ start: Timestamp, number: Int = 1) -> String {
        let text = RFC3339.string(start, decimals: 0).dropLast()
        let digits = text.map { $0 == "T" ? "_" : $0 == ":" ? "-" : $0 }
        return "geo_log_" + String(digits) + (number > 1 ? "_\(number)" : "") + ".json"
    }

    /// Returns the start in a name with this pattern; `nil` if there is no such time.
    package static func start(of name: String) -> Timestamp? {
        let text = name.dropFirst("geo_log_".count).prefix("dddd-dd-dd_dd-dd-dd".count)
        let day = text.prefix("dddd-dd-dd".count)
        let time = text.dropFirst("dddd-dd-dd_".count).replacing("-", with: ":")
        return RFC3339.timestamp("\(day) \(time)", zoneRequired: false)
    }

    /// Returns the name of a recording without `.gz`.
    package static func uncompressed(_ name: String) -> String {
        RecordingArchive.isArchive(name) ? String(name.dropLast(RecordingArchive.suffix.count)) : name
    }

    /// Returns whether the name has this pattern, so that retention may delete the file.
    package static func isOurs(_ name: String) -> Bool {
        var rest = uncompressed(name)[...]
        guard rest.hasPrefix("geo_log_"), rest.hasSuffix(".json") else { return false }
        rest = rest.dropFirst("geo_log_".count).dropLast(".json".count)
        let pattern = "dddd-dd-dd_dd-dd-dd"
        guard rest.count >= pattern.count else { return false }
        for (character, wanted) in zip(rest, pattern) {
            let fits = wanted == "d" ? character.isASCII && character.isNumber : character == wanted
            guard fits else { return false }
        }
        let number = rest.dropFirst(pattern.count)
        return number.isEmpty || number.first == "_" && Int(number.dropFirst()) != nil
    }
}
