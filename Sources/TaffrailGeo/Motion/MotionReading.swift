public import Taffrail
internal import TaffrailText

/// A reading of motion sensors: a compass, a gyroscope, an accelerometer. As a record it has the event name
/// `sensor.motion`.
public struct MotionReading: Sendable, Hashable {
    /// The event name of its records.
    public static let eventName = "sensor.motion"
    /// The name of the logger of its records, so that a level can be set for them.
    public static let logger = "sensor"

    /// The kinds of readings.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The attitude of the vehicle.
        case attitude
        /// Raw values of an inertial measurement unit.
        case inertial
    }

    /// Components along the axes of the device; an unknown one is `nil`.
    public struct Vector: Sendable, Hashable {
        /// Along the first axis.
        public var x: Double?
        /// Along the second axis.
        public var y: Double?
        /// Along the third axis.
        public var z: Double?

        /// Creates a vector.
        public init(x: Double? = nil, y: Double? = nil, z: Double? = nil) {
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// The kind.
    public var kind: Kind
    /// The time of the reading according to the source or, if it provides none, of receipt.
    public var timestamp: Timestamp
    /// The device.
    public var device: String?
    /// Degrees from true north.
    public var heading: Double?
    /// Degrees; positive: the front is up.
    public var pitch: Double?
    /// Degrees; positive: the left side is up.
    public var roll: Double?
    /// Degrees.
    public var yaw: Double?
    /// The inclination of the magnetic field, in degrees.
    public var dip: Double?
    /// Metres per second squared.
    public var acceleration = Vector()
    /// Degrees per second.
    public var rotation = Vector()
    /// In the units of the device.
    public var magneticField = Vector()
    /// Degrees Celsius.
    public var temperature: Double?
    /// The depth of water, in metres.
    public var depth: Double?

    /// Creates a reading without values.
    public init(_ kind: Kind, timestamp: Timestamp, device: String? = nil) {
        self.kind = kind
        self.timestamp = timestamp
        self.device = device
    }

    /// The names of the values, in writing order.
    private static let values: [(name: String, path: any WritableKeyPath<MotionReading, Double?> & Sendable)] = [
        ("heading", \.heading), ("pitch", \.pitch), ("roll", \.roll), ("yaw", \.yaw), ("dip", \.dip),
        ("acceleration.x", \.acceleration.x), ("acceleration.y", \.acceleration.y),
        ("acceleration.z", \.acceleration.z), ("rotation.x", \.rotation.x), ("rotation.y", \.rotation.y),
        ("rotation.z", \.rotation.z), ("magnetic_field.x", \.magneticField.x),
        ("magnetic_field.y", \.magneticField.y), ("magnetic_field.z", \.magneticField.z),
        ("temperature", \.temperature), ("depth", \.depth),
    ]

    private static let prefix = "taffrail.motion."

    /// Returns the reading as a record at level info; unknown values are omitted.
    ///
    /// - Parameter received: The time of receipt; the reading's own time is among the attributes.
    public func record(received: Timestamp = .now) -> LogRecord {
        var attributes = [
            LogValueEntry(Self.prefix + "kind", .string(kind.rawValue)),
            LogValueEntry(Self.prefix + "time", .date(timestamp)),
        ]
        if let device { attributes.append(LogValueEntry(Self.prefix + "device", .string(device))) }
        for (name, path) in Self.values {
            guard let value = self[keyPath: path], value.isFinite else { continue }
            attributes.append(LogValueEntry(Self.prefix + name, .double(value)))
        }
        return LogRecord(
            timestamp: received, level: .info, message: summary, eventName: Self.eventName, attributes: attributes,
            logger: Self.logger)
    }

    /// Creates a reading from a record, even one that was stored as JSON, where times are strings.
    ///
    /// - Returns: `nil` for any other record.
    public init?(_ record: LogRecord) {
        guard record.eventName == Self.eventName, case .string(let name)? = record[Self.prefix + "kind"],
            let kind = Kind(rawValue: name)
        else { return nil }
        self.init(kind, timestamp: record.timestamp)
        switch record[Self.prefix + "time"] {
        case .date(let time)?: timestamp = time
        case .string(let text)?: timestamp = RFC3339.timestamp(text) ?? timestamp
        default: break
        }
        if case .string(let text)? = record[Self.prefix + "device"] { device = text }
        for (name, path) in Self.values {
            switch record[Self.prefix + name] {
            case .double(let value)?: self[keyPath: path] = value
            case .int(let value)?: self[keyPath: path] = Double(value)
            default: break
            }
        }
    }

    /// One line for text sinks.
    private var summary: String {
        var text: [UInt8] = []
        for (name, value, unit) in [
            ("heading", heading, "°"), ("pitch", pitch, "°"), ("roll", roll, "°"), ("yaw", yaw, "°"),
        ] {
            guard let value, value.isFinite else { continue }
            if !text.isEmpty { text.append(" ") }
            text.append(contentsOf: "\(name) ".utf8)
            text.append(real: value, decimals: 1)
            text.append(contentsOf: unit.utf8)
        }
        return text.isEmpty ? kind.rawValue : String(decoding: text, as: UTF8.self)
    }
}
