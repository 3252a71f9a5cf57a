package import Taffrail

/// The properties of a line known without parsing all of it.
package struct LineHead {
    /// The format of a line.
    package enum Shape: Sendable, Hashable {
        /// `[2026-01-05 14:30:00.123] [INFO] …`
        case text
        /// A JSON object.
        case json
        /// `time=… level=… msg=…`
        case logfmt
        /// A line of another program.
        case foreign
    }

    /// Its format.
    package var shape = Shape.foreign
    /// The time in nanoseconds since 1970; `nil` for a line without a time, which belongs to the previous one.
    package var time: Int64?
    /// The level, if the line has one.
    package var level: Level?
    /// The offset of the message, in a line of text.
    var body = 0
    /// Whether the line is, or may be, a JSON object with keys other than Taffrail's.
    var hasOtherKeys = false

    package init() {}
}
