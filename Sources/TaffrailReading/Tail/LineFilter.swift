package import Taffrail

/// Selects lines.
package struct LineFilter {
    /// The time range.
    package var range = LineRange()
    /// The minimum level; a line without a level counts as info.
    package var level: Level?
    /// The name of a logger, including those below it (`net` includes `net.http`).
    package var logger: String?
    /// A pattern for the line as printed.
    package var pattern: LinePatternMatch?
    /// A pattern that the printed line must not match.
    package var exclusion: LinePatternMatch?

    private let records = LineParser()

    package init() {}

    /// Returns whether a line is wanted according to the patterns for its printed form, which a buffer contains from an
    /// offset to its end.
    func wants(printedIn buffer: borrowing LineBuffer, from start: Int) -> Bool {
        guard hasPatterns else { return true }
        let line = UnsafeRawBufferPointer(rebasing: buffer.bytes[start...].dropLast())
        if let pattern, !pattern.matches(line) { return false }
        if let exclusion, exclusion.matches(line) { return false }
        return true
    }

    /// Whether there are such patterns.
    var hasPatterns: Bool { pattern != nil || exclusion != nil }

    /// Returns whether a line is wanted according to its head and its logger.
    func wants(_ line: UnsafeRawBufferPointer, _ head: LineHead, time: Int64) -> Bool {
        if let level, head.level ?? .info < level { return false }
        if !range.contains(time) { return false }
        guard let logger else { return true }
        let name = records.logger(line, head)
        return name == logger || name.hasPrefix(logger + ".")
    }
}
