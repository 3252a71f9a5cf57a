/// A track's way from one file format into another, in constant memory.
public struct TrackConversion: Sendable, Hashable {
    /// How many events were read.
    public private(set) var events = 0
    /// Of them, positions.
    public private(set) var locations = 0
    /// What the new format could not hold.
    public private(set) var losses = TrackLosses()

    /// Converts a file. The new one gets its name only when it is complete; with an error there is none.
    ///
    /// - Throws: Whatever is wrong with the old file, with line and place, or with writing the new one.
    public init(
        from source: String, _ sourceFormat: TrackFormat, to destination: String, _ format: TrackFormat,
        overwrites: Bool = false
    ) throws(RecordingError) {
        let reader = try sourceFormat.reader(path: source)
        let writer = format.writer(try TextOutput(path: destination, overwrites: overwrites))
        // The metadata may be in front of the first event.
        var event = try reader.next()
        try writer.begin(reader.metadata, name: Self.name(source))
        while let found = event {
            try writer.append(found)
            events += 1
            if found.event.location != nil { locations += 1 }
            event = try reader.next()
        }
        try writer.finish()
        losses = writer.losses
    }

    /// A file's name without folders and ending.
    private static func name(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}
