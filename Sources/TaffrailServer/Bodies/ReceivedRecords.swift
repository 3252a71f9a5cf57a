package import Taffrail

/// The contents of a body.
package struct ReceivedRecords: Sendable {
    /// The records, in order, as they are logged.
    package var records: [LogRecord] = []
    /// The number of objects that are not records, such as the status of a device, or positions without coordinates.
    package var ignored = 0
    /// The number of records whose attributes beyond the limit were dropped.
    package var truncated = 0

    /// The maximum number of records, attributes and list values in a body: each takes more memory when decoded.
    static let limit = 500_000

    /// The maximum number of a record's attributes, besides its origin: readers compare each with all previous ones.
    static let attributeLimit = 1_024

    /// The error for a body with too many values.
    static let tooMany = Problem(413, "the body has more than \(limit) values")
}
