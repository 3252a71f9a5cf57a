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

    // The order of the properties keeps a head within 16 bytes, so that it is returned in registers.

    /// The time in nanoseconds since 1970; `nil` for a line without a time, which belongs to the previous one.
    package var time: Int64?
    /// Its format.
    package var shape = Shape.foreign
    /// The level, if the line has one.
    package var level: Level?
    /// Whether the line is, or may be, a JSON object with keys other than Taffrail's.
    var hasOtherKeys = false
    private var storedBody: UInt32 = 0

    /// The offset of the message, in a line of text.
    var body: Int {
        get { Int(storedBody) }
        set { storedBody = UInt32(newValue) }
    }

    package init() {}
}
