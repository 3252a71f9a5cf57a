package import Taffrail
internal import TaffrailText

/// The file that keeps the home between runs: one JSON object in a state directory, replaced as a whole, readable for the
/// owner only.
package struct HomeFile: Sendable {
    private static let limit = 4_096

    package let path: String

    /// The file in a state directory.
    package init(in directory: String) { path = directory + "/home.json" }

    /// Replaces the home.
    package func store(_ home: Coordinate, at time: Timestamp = .now) throws(SystemError) {
        let entries = [
            LogValueEntry("latitude", .double(home.latitude)), LogValueEntry("longitude", .double(home.longitude)),
            LogValueEntry("set", .date(time)),
        ]
        let text = LogValue.map(entries).json + [UInt8(ascii: "\n")]
        let directory = Directory.parent(of: path) ?? "."
        try Directory.create(directory, mode: 0o700)
        try FileName.replace(path, with: text, forOwnerOf: directory)
    }

    /// Deletes the home.
    package func remove() throws(SystemError) { try FileName.removeIfPresent(path) }

    /// Returns the home; `nil` if there is none, or it cannot be read.
    package func load() -> Coordinate? {
        guard let bytes = try? FileSource(path: path).readAll(limit: Self.limit) else { return nil }
        let object = LogValue(json: bytes)
        guard let latitude = object?["latitude"]?.number, let longitude = object?["longitude"]?.number else {
            return nil
        }
        let home = Coordinate(latitude: latitude, longitude: longitude)
        return home.isValid ? home : nil
    }
}
