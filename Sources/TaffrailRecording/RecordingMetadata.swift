public import Taffrail
internal import TaffrailText

/// What a recording says about itself.
public struct RecordingMetadata: Sendable, Hashable {
    /// The format's version; what is written is `1.0`, what is read is 1 with any minor version.
    public var version: String
    /// When the recording began.
    public var recordedAt: Timestamp
    /// The device; on Linux the host's name.
    public var device: String
    /// The operating system; on Linux the `PRETTY_NAME` of `os-release`.
    public var systemVersion: String
    /// How long the recording is, in seconds: up to its last event, or to its end where it was ended.
    public var duration: Double
    /// How many events it has.
    public var eventCount: Int

    /// The version that is written.
    public static let currentVersion = "1.0"

    /// Makes metadata of a recording that is about to begin.
    public init(
        version: String = RecordingMetadata.currentVersion, recordedAt: Timestamp = .now, device: String = "",
        systemVersion: String = "", duration: Double = 0, eventCount: Int = 0
    ) {
        self.version = version
        self.recordedAt = recordedAt
        self.device = device
        self.systemVersion = systemVersion
        self.duration = duration
        self.eventCount = eventCount
    }

    /// Whether the version is one that can be read: 1, or 1 and a minor version.
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
        bytes.append(real: RecordingEncoder.microseconds(duration))
        bytes.append(",\"eventCount\":")
        bytes.append(decimal: eventCount)
        bytes.append("}")
    }

    /// Reads the object that is the reader's next value; unknown keys are passed over, missing ones stay empty.
    init(_ reader: inout JSONReader) throws(ReadError) {
        self.init(version: "1", recordedAt: Timestamp(nanoseconds: 0))
        guard try reader.enterObject() else { return }
        while try reader.nextKey() {
            if reader.isText("version") {
                version = try reader.optionalText() ?? version
            } else if reader.isText("recordedAt") {
                guard let text = try reader.optionalText() else { continue }
                guard let time = RFC3339.timestamp(text) else { throw reader.error("recordedAt is no RFC 3339 time") }
                recordedAt = time
            } else if reader.isText("device") {
                device = try reader.optionalText() ?? ""
            } else if reader.isText("systemVersion") {
                systemVersion = try reader.optionalText() ?? ""
            } else if reader.isText("duration") {
                duration = max(0, try reader.optionalNumber() ?? 0)
            } else if reader.isText("eventCount") {
                eventCount = Int(exactly: (try reader.optionalNumber() ?? 0).rounded()) ?? 0
            } else {
                try reader.skipValue()
            }
        }
    }
}
