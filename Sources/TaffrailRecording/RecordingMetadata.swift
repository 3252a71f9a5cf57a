public import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The metadata of a recording.
public struct RecordingMetadata: Sendable, Hashable {
    /// The version of the format: `1.0` is written; 1 with any minor version can be read.
    public var version: String
    /// The start of the recording.
    public var recordedAt: Timestamp
    /// The device; on Linux the host name.
    public var device: String
    /// The operating system; on Linux the `PRETTY_NAME` of `os-release`.
    public var systemVersion: String
    /// The duration: up to the last event or, for an ended recording, to its end.
    public var duration: Duration {
        get { Duration(clampingSeconds: seconds) }
        set { seconds = newValue / .seconds(1) }
    }
    /// The duration in seconds, as stored in files.
    package var seconds: Double
    /// The number of events.
    public var eventCount: Int

    /// The version that is written.
    public static let currentVersion = "1.0"

    /// Creates metadata for a new recording.
    public init(
        version: String = RecordingMetadata.currentVersion, recordedAt: Timestamp = .now, device: String = "",
        systemVersion: String = "", duration: Duration = .zero, eventCount: Int = 0
    ) {
        self.version = version
        self.recordedAt = recordedAt
        self.device = device
        self.systemVersion = systemVersion
        seconds = duration / .seconds(1)
        self.eventCount = eventCount
    }

    /// Whether the version is supported: 1, optionally with a minor version.
    public var isReadable: Bool { version == "1" || version.hasPrefix("1.") }
}

extension RecordingMetadata {
    /// Appends the object.
    package func append(to bytes: inout [UInt8]) {
        bytes.append("{\"version\":")
        bytes.append(json: version)
        bytes.append(",\"recordedAt\":\"")
        RFC3339.append(recordedAt, to: &bytes)
        bytes.append("\",\"device\":")
        bytes.append(json: device)
        bytes.append(",\"systemVersion\":")
        bytes.append(json: systemVersion)
        bytes.append(",\"duration\":")
        bytes.append(real: seconds.roundedToMillionths)
        bytes.append(",\"eventCount\":")
        bytes.append(decimal: eventCount)
        bytes.append("}")
    }

    /// Decodes the object that is the reader's next value; unknown keys are ignored, missing values stay empty.
    init(_ reader: inout JSONReader) throws(ReadError) {
        self.init(version: "1", recordedAt: Timestamp(nanoseconds: 0))
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("version") {
                version = try reader.optionalText() ?? version
            } else if reader.isText("recordedAt") {
                guard let text = try reader.optionalText() else { continue }
                guard let time = RFC3339.timestamp(text) else {
                    throw reader.error("recordedAt is not an RFC 3339 time")
                }
                recordedAt = time
            } else if reader.isText("device") {
                device = try reader.optionalText() ?? ""
            } else if reader.isText("systemVersion") {
                systemVersion = try reader.optionalText() ?? ""
            } else if reader.isText("duration") {
                seconds = max(0, try reader.optionalNumber() ?? 0)
            } else if reader.isText("eventCount") {
                eventCount = Int(exactly: (try reader.optionalNumber() ?? 0).rounded()) ?? 0
            } else {
                try reader.skipValue()
            }
        }
    }
}
