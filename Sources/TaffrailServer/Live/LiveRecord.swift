package import Taffrail

/// A record for clients that watch the log: what they select it by, and what they get.
package protocol LiveRecord: Sendable {
    /// The severity.
    var level: Level { get }
    /// The logger's name; empty for ``Logger/shared``.
    var logger: String { get }
    /// The device that logged it; empty: none is named.
    var device: String { get }
    /// The record as a JSON object.
    var json: [UInt8] { get }
}

/// What clients that watch the log get of a record, and what their queries mean.
package struct LiveFormat: Sendable {
    /// Makes the record that clients get.
    package var make: @Sendable (LogRecord) -> any LiveRecord
    /// Parses the parameter `q`.
    package var selection: @Sendable (String) throws(Problem) -> @Sendable (any LiveRecord) -> Bool

    /// Creates a format.
    package init(
        make: @escaping @Sendable (LogRecord) -> any LiveRecord,
        selection: @escaping @Sendable (String) throws(Problem) -> @Sendable (any LiveRecord) -> Bool
    ) {
        self.make = make
        self.selection = selection
    }

    /// Records as ``OriginRecord``, and no queries.
    package static let plain = LiveFormat(
        make: { OriginRecord($0) },
        selection: { _ throws(Problem) in throw .bad("q is not supported here: use level, logger and device") })
}
