package import Taffrail

/// Where lines come from, one at a time and in an order of their own: a log with all its files, a ring, the journal.
///
/// One thread uses it. A line is lent until the next one is asked for.
package protocol LineSource: AnyObject {
    /// Goes to the next line.
    ///
    /// - Returns: `false` when there is none now. It may be asked again: a source that is followed may have one later.
    func next() -> Bool
    /// The current line without its newline, and what is known of it.
    var line: UnsafeRawBufferPointer { get }
    /// What the line's head tells.
    var head: LineHead { get }
    /// What the source is called in front of its lines, where several are merged.
    var label: String { get }
    /// When lines count as logged that come before any with a time, in nanoseconds since 1970.
    var fallbackTime: Int64 { get }
    /// Attributes that are added to every line of this source.
    var marks: [LogValueEntry] { get }
    /// What could not be read, since this was asked last.
    func takeProblems() -> [String]
    /// A descriptor that becomes readable when there may be more; `nil` where the directory tells.
    var wakeUp: CInt? { get }
    /// Called behind each time that the descriptor was readable.
    func wake()
    /// Goes on from the last lines on: so far back that `count` of them are wanted ones.
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

/// What can be told of a line without reading all of it.
package struct LineHead {
    /// How a line is written.
    package enum Shape: Sendable, Hashable {
        /// `[2026-01-05 14:30:00.123] [INFO] …`
        case text
        /// A JSON object.
        case json
        /// `time=… level=… msg=…`
        case logfmt
        /// Whatever somebody else wrote.
        case foreign
    }

    /// How it is written.
    package var shape = Shape.foreign
    /// When it was logged, in nanoseconds since 1970; `nil` for a line without a time, which belongs to the one before.
    package var time: Int64?
    /// How serious it is, where it says so.
    package var level: Level?
    /// Where the message starts, in a line of text.
    var body = 0
    /// Whether it is a JSON object with other keys than ours, or may be one.
    var hasOtherKeys = false

    package init() {}
}
