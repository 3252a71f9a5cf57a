/// The severity of a record, from ``trace`` to ``critical``.
///
/// The names are those of swift-log. In OpenTelemetry they are severity 1, 5, 9, 10, 13, 17 and 18,
/// in syslog and journald 7, 7, 6, 5, 4, 3 and 2.
public enum Level: UInt8, Sendable, Hashable, CaseIterable, Comparable, Decodable {
    /// Step-by-step detail, useful only while tracking down a problem.
    case trace
    /// Development diagnostics.
    case debug
    /// General information; the default minimum level.
    case info
    /// Normal but significant.
    case notice
    /// Unexpected, but handled.
    case warning
    /// An operation failed; the program continues.
    case error
    /// The program, or a part of it, cannot continue.
    case critical

    /// The lower-case name of the level, as used in configuration files and commands.
    public var name: String { "\(self)" }

    /// Parses a level's name in any case, or one of the usual short forms (`warn`, `err`, `crit`, `fatal`).
    ///
    /// - Returns: `nil` for any other string.
    public init?(name: String) {
        switch name.lowercased() {
        case "trace": self = .trace
        case "debug": self = .debug
        case "info", "information": self = .info
        case "notice": self = .notice
        case "warning", "warn": self = .warning
        case "error", "err": self = .error
        case "critical", "crit", "fatal": self = .critical
        default: return nil
        }
    }

    /// The upper-case name in a text line.
    public var label: StaticString {
        switch self {
        case .trace: "TRACE"
        case .debug: "DEBUG"
        case .info: "INFO"
        case .notice: "NOTICE"
        case .warning: "WARNING"
        case .error: "ERROR"
        case .critical: "CRITICAL"
        }
    }

    /// The SeverityNumber of OpenTelemetry's log data model.
    public var openTelemetrySeverity: Int {
        switch self {
        case .trace: 1
        case .debug: 5
        case .info: 9
        case .notice: 10
        case .warning: 13
        case .error: 17
        case .critical: 18
        }
    }

    /// The priority of syslog (RFC 5424) and journald; never 0 or 1, which journald broadcasts to terminals.
    public var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Returns whether `lhs` is less severe than `rhs`.
    @inlinable
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Parses a level's name, as ``init(name:)`` does.
    ///
    /// - Throws: `DecodingError` that lists all levels.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let level = Level(name: text) else {
            let names = Level.allCases.map(\.name).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be one of \(names), not \"\(text)\"")
        }
        self = level
    }
}
