internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The file that keeps the last attributes for the next run: one JSON object, replaced as a whole, readable by its
/// owner only.
struct FixFile: Sendable {
    private static let limit: Int64 = 8_192

    let path: String

    init(_ path: String) { self.path = path }

    /// The file of an instance.
    init(of instance: PluginInstance) {
        self.init("\(instance.logDirectory)/.taffrail/\(SinkBook.StatusFile.fileName(of: instance.name)).json")
    }

    /// Replaces the saved attributes.
    ///
    /// - Parameters:
    ///   - attributes: The published attributes; not saved without a coordinate.
    ///   - saved: The time of the fix's arrival.
    func store(_ attributes: [LogValueEntry], saved: Timestamp) throws(SystemError) {
        guard Location(attributes: attributes, received: saved) != nil else { return try remove() }
        let fields = [LogValueEntry("saved", .date(saved)), LogValueEntry("attributes", .map(attributes))]
        let text = LogValue.map(fields).json + [UInt8(ascii: "\n")]
        let directory = Directory.parent(of: path) ?? "."
        try Directory.create(directory, mode: 0o700)
        try FileName.replace(path, with: text, forOwnerOf: directory)
    }

    /// Deletes the saved attributes.
    func remove() throws(SystemError) { try FileName.removeIfPresent(path) }

    /// Returns the saved position and its time of arrival; `nil` if the file is missing or invalid.
    func load() -> (location: Location, saved: Timestamp)? {
        guard let file = try? FileDescriptor(path, [.read, .ownFile]), let status = try? file.status(),
            status.isRegular, status.size <= Self.limit, let bytes = try? file.read(Int(status.size), at: 0)
        else { return nil }
        let object = LogValue(json: bytes)
        guard let saved = object?["saved"]?.text.flatMap({ RFC3339.timestamp($0) }),
            var attributes = object?["attributes"]?.entries
        else { return nil }
        for index in attributes.indices where attributes[index].key == FixAttributes.time {
            guard let time = attributes[index].value.text.flatMap({ RFC3339.timestamp($0) }) else { continue }
            attributes[index].value = .date(time)
        }
        return Location(attributes: attributes, received: saved).map { ($0, saved) }
    }
}
