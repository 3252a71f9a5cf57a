internal import Taffrail
internal import TaffrailGeo
public import TaffrailRecording
internal import TaffrailText

/// Converts a track to another file format, in constant memory.
public struct TrackConversion: Sendable, Hashable {
    /// The number of events read.
    public private(set) var events = 0
    /// The positions among them.
    public private(set) var locations = 0
    /// The values that the new format could not hold.
    public private(set) var losses = TrackLosses()

    /// The points that were skipped because they could not be read.
    public private(set) var warnings = TrackWarnings()

    /// Converts a file. The new file appears only when it is complete, and not at all after an error.
    ///
    /// Positions of several receivers are separate tracks: GPX and KML contain them one after the other, so the file is
    /// read once for each receiver; a recording, a table and GeoJSON name the receiver of each position; NMEA can
    /// contain only one.
    ///
    /// - Parameters:
    ///   - source: The file that is read.
    ///   - sourceFormat: Its format.
    ///   - destination: The file that is written.
    ///   - format: Its format.
    ///   - device: Use only the positions of this receiver; `nil`: all.
    ///   - overwrites: Whether an existing file is replaced.
    /// - Throws: Errors of the old file, with line and offset, and errors of writing the new file.
    public init(
        from source: String, _ sourceFormat: TrackFormat, to destination: String, _ format: TrackFormat,
        device: String? = nil, overwrites: Bool = false
    ) throws(RecordingError) {
        try self.init(
            of: source, as: FileName.stem(of: source), device: device, isRepeatable: source != "-",
            to: { () throws(RecordingError) in try TextOutput(path: destination, overwrites: overwrites) }, format
        ) { () throws(RecordingError) in try sourceFormat.reader(path: source) }
    }

    /// Converts any track, such as an edited one.
    ///
    /// - Parameters:
    ///   - source: The file name in errors.
    ///   - name: The name of the track.
    ///   - metadata: Its metadata. Default `nil`: that of the track.
    ///   - device: Use only the positions of this receiver; `nil`: all.
    ///   - isRepeatable: Whether the track can be read more than once. Default `true`.
    ///   - mayBeEmpty: Whether a track without events is accepted. Default `true`.
    ///   - output: Creates the writer.
    ///   - format: Its format.
    ///   - open: Opens the track; called again if it is read once for each receiver.
    /// - Throws: Errors of the track and of writing; with `mayBeEmpty` off also for a track without events.
    package init(
        of source: String, as name: String, metadata: RecordingMetadata? = nil, device: String? = nil,
        isRepeatable: Bool = true, mayBeEmpty: Bool = true, to output: () throws(RecordingError) -> TextOutput,
        _ format: TrackFormat, reader open: () throws(RecordingError) -> any TrackReader
    ) throws(RecordingError) {
        let reader = try open()
        let writer = format.writer(try output())
        // The metadata may precede the first event.
        var event = try reader.next()
        guard event != nil || mayBeEmpty else {
            throw RecordingError(.malformed, path: source, reason: "\(source): no events remain")
        }
        try writer.begin(metadata ?? reader.metadata, name: name)
        var receivers = Receivers(named: device, keepsOrder: [.json, .csv, .geojson].contains(format))
        while let found = event {
            if receivers.admits(found.event) { try append(found, to: writer) }
            event = try reader.next()
        }
        warnings = reader.warnings
        guard receivers.others.isEmpty || format != .nmea && isRepeatable else {
            let names = ([receivers.current ?? ""] + receivers.others).joined(separator: ", ")
            let reason =
                format == .nmea ? "NMEA can contain only one" : "stdin can be read only once"
            throw RecordingError(
                .malformed, path: source,
                reason: "\(source): positions of several receivers (\(names)), but \(reason): choose one with --device")
        }
        for other in receivers.others {
            let reader = try open()
            var one = Receivers(named: other, keepsOrder: false)
            while let found = try reader.next() { if one.admits(found.event) { try append(found, to: writer) } }
        }
        try writer.finish()
        losses = writer.losses
    }

    private mutating func append(_ event: RecordedEvent, to writer: any TrackWriter) throws(RecordingError) {
        try writer.append(event)
        events += 1
        if event.event.location != nil { locations += 1 }
    }

    /// Selects the positions and errors of one receiver, and collects the names of the others.
    private struct Receivers {
        /// The selected receiver: the requested one, else the first; `nil`: none yet, or all.
        private(set) var current: String?
        private(set) var others: [String] = []
        private let isNamed: Bool
        private let keepsOrder: Bool

        init(named device: String?, keepsOrder: Bool) {
            current = device
            isNamed = device != nil
            self.keepsOrder = keepsOrder
        }

        mutating func admits(_ event: GeoEvent) -> Bool {
            guard isNamed || !keepsOrder else { return true }
            guard case .location(let location) = event else { return current.map { event.belongs(to: $0) } ?? true }
            let device = location.extra.device ?? ""
            let chosen = current ?? device
            current = chosen
            if device == chosen { return true }
            if !isNamed && !others.contains(device) { others.append(device) }
            return false
        }
    }
}
