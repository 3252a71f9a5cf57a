internal import Taffrail
public import TaffrailGeo
public import TaffrailRecording
internal import TaffrailText

/// Writes a track event by event. One thread at a time.
public protocol TrackWriter: AnyObject {
    /// The values lost because the format cannot hold them.
    var losses: TrackLosses { get }

    /// Writes the part before the first event.
    ///
    /// - Parameters:
    ///   - metadata: The known metadata of the track.
    ///   - name: The track's name.
    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError)

    /// Writes an event.
    func append(_ event: RecordedEvent) throws(RecordingError)

    /// Writes the part after the last event, and completes the file. No call follows.
    func finish() throws(RecordingError)
}

/// The number of values of each kind that a format could not hold.
public struct TrackLosses: Sendable, Hashable {
    /// The counts, by the value's name in a recording.
    public private(set) var counts: [String: Int] = [:]

    /// Nothing lost.
    public init() {}

    /// Counts one.
    mutating func add(_ name: String) { counts[name, default: 0] += 1 }

    /// Counts a value, if there is one.
    mutating func add(_ name: String, if value: Bool) { if value { add(name) } }

    /// For example `horizontalAccuracy (120), floor (3)`; empty when nothing was lost.
    public var summary: String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
            .joined(separator: ", ")
    }

    /// Counts the values of a location that are not in `kept`.
    mutating func add(_ location: Location, except kept: Set<Field>) {
        for field in Field.allCases where !kept.contains(field) { add(field.rawValue, if: field.isIn(location)) }
    }

    /// The values of a location that some formats cannot hold.
    enum Field: String, CaseIterable {
        case altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed
        case speedAccuracy, floor, sourceInformation, climb, climbAccuracy, geoidSeparation, device, satellites, hdop
        case vdop, pdop

        func isIn(_ location: Location) -> Bool {
            switch self {
            case .altitude: location.altitude != nil
            case .ellipsoidalAltitude: location.ellipsoidalAltitude != nil
            case .horizontalAccuracy: location.horizontalAccuracy != nil
            case .verticalAccuracy: location.verticalAccuracy != nil
            case .course: location.course != nil
            case .courseAccuracy: location.courseAccuracy != nil
            case .speed: location.speed != nil
            case .speedAccuracy: location.speedAccuracy != nil
            case .floor: location.floor != nil
            case .sourceInformation: location.sourceInformation != nil
            case .climb: location.extra.climb != nil
            case .climbAccuracy: location.extra.climbAccuracy != nil
            case .geoidSeparation: location.extra.geoidSeparation != nil
            case .device: location.extra.device != nil
            case .satellites: location.extra.satellites != nil
            case .hdop: location.extra.hdop != nil
            case .vdop: location.extra.vdop != nil
            case .pdop: location.extra.pdop != nil
            }
        }
    }
}

/// Writes a recording in one pass; it is complete only at its end.
final class RecordingTrackWriter: TrackWriter {
    private let output: TextOutput
    private var metadata = RecordingMetadata.ofThisDevice()
    private var hasMetadata = false
    let losses = TrackLosses()

    init(_ output: TextOutput) { self.output = output }

    func begin(_ metadata: RecordingMetadata?, name: String) throws(RecordingError) {
        if let metadata {
            self.metadata = metadata
            self.metadata.version = RecordingMetadata.currentVersion
            hasMetadata = metadata.recordedAt.nanoseconds != 0
        }
        self.metadata.eventCount = 0
        output.bytes.append("{\"events\":[")
    }

    func append(_ event: RecordedEvent) throws(RecordingError) {
        output.bytes.append(metadata.eventCount == 0 ? "\n" : ",\n")
        if metadata.eventCount == 0 && !hasMetadata { metadata.recordedAt = event.timestamp - event.relativeTime }
        RecordingEncoder.append(event, to: &output.bytes)
        metadata.eventCount += 1
        metadata.seconds = max(metadata.seconds, event.relativeTime)
        try output.flushIfLong()
    }

    func finish() throws(RecordingError) {
        output.bytes.append("\n],\"metadata\":")
        metadata.append(to: &output.bytes)
        output.bytes.append("}\n")
        try output.finish()
    }
}
