package import Taffrail

/// A source of lines in its own order: a log with all its files, a ring, the journal.
///
/// Confined to one thread. A line is valid until the next one is requested.
package protocol LineSource: AnyObject {
    /// Advances to the next line.
    ///
    /// - Returns: `false` when there is none now. A followed source may have one later.
    func next() -> Bool
    /// The current line without its newline, and its parsed head.
    var line: UnsafeRawBufferPointer { get }
    /// The parsed head of the line.
    var head: LineHead { get }
    /// The name of the source, printed before its lines if several are merged.
    var label: String { get }
    /// The time of lines before any line with a time, in nanoseconds since 1970.
    var fallbackTime: Int64 { get }
    /// Attributes to add to every line of this source.
    var marks: [LogValueEntry] { get }
    /// Returns the errors of reading since the last call.
    func takeProblems() -> [String]
    /// A descriptor that becomes readable when there may be more; `nil` if directory events report that.
    var wakeUp: CInt? { get }
    /// Called whenever the descriptor has become readable.
    func wake()
    /// Seeks to the last lines, so that `count` of them are wanted ones.
    func skipToLast(_ count: Int, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool)
}

extension LineSource {
    package var label: String { "" }
    package var fallbackTime: Int64 { .min }
    package var marks: [LogValueEntry] { [] }
    package func takeProblems() -> [String] { [] }
    package var wakeUp: CInt? { nil }
    package func wake() {}
    package func skipToLast(_ count: Int, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool) {}
}

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
    /// Whether it is a JSON object with other keys than ours, or may be one.
    var hasOtherKeys = false

    package init() {}
}
