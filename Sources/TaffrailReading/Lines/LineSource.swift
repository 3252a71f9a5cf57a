package import Taffrail

/// A source of lines in its own order: a log with all its files, a ring, the journal.
///
/// Confined to one thread. A line is valid until the next one is requested.
package protocol LineSource: AnyObject {
    /// Advances to the next line.
    ///
    /// - Returns: `false` if there is currently no next line. A followed source may have one later.
    func next() -> Bool
    /// The current line without its newline.
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
    /// A descriptor that becomes readable when there may be more lines; `nil` if directory events report that.
    var wakeUp: CInt? { get }
    /// Called whenever the descriptor has become readable.
    func wake()
    /// Seeks so that `count` wanted lines remain.
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
