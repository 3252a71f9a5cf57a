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
        var text: [UInt8] = []
        text.append(
            json: .map([
                LogValueEntry("latitude", .double(home.latitude)), LogValueEntry("longitude", .double(home.longitude)),
                LogValueEntry("set", .date(time)),
            ]))
        text.append("\n")
        let directory = Directory.parent(of: path) ?? "."
        try Directory.create(directory, mode: 0o700)
        try FileName.replace(path, with: text, forOwnerOf: directory)
    }

    /// Deletes the home.
    package func remove() throws(SystemError) { try FileName.removeIfPresent(path) }

    /// Returns the home; `nil` if there is none, or it cannot be read.
    package func load() -> Coordinate? {
        guard let bytes = try? FileSource(path: path).readAll(limit: Self.limit) else { return nil }
        var reader = JSONReader(bytes)
        guard case .map(let entries)? = try? reader.value(), (try? reader.next()) == .end else { return nil }
        func number(_ name: String) -> Double? {
            switch entries.first(where: { $0.key == name })?.value {
            case .double(let value)?: value
            case .int(let value)?: Double(value)
            default: nil
            }
        }
        guard let latitude = number("latitude"), let longitude = number("longitude") else { return nil }
        let home = Coordinate(latitude: latitude, longitude: longitude)
        return home.isValid ? home : nil
    }
}
