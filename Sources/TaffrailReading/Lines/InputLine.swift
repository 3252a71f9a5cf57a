package import Taffrail

/// Parses lines of a program's output that contain more than a message: a JSON object, or a prefix `<N>`, the syslog
/// priority as systemd reads it.
package struct InputLine {
    private let json = JSONLineParser()

    package init() {}

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - line: Without its newline.
    ///   - level: The level of a line that has none.
    package func record(_ line: UnsafeRawBufferPointer, level: Level) -> LogRecord {
        if line.first == UInt8(ascii: "{"), let found = json.record(line) {
            var record = found.record
            if !found.hasTime { record.timestamp = .now }
            if !found.hasLevel { record.level = level }
            // The pipeline assigns new ones.
            record.sequence = 0
            record.run = .none
            return record
        }
        var words = LineWords(line)
        let priority = words.priority()
        let message = UnsafeRawBufferPointer(rebasing: line[words.index...])
        return LogRecord(level: priority ?? level, message: String(decoding: message, as: UTF8.self))
    }

    /// Parses a line that is a JSON object, with the run and number of its record.
    ///
    /// - Parameter line: Without its newline.
    /// - Returns: `nil` for any other line; `hasTime`: whether it has a time.
    package func object(_ line: UnsafeRawBufferPointer) -> (record: LogRecord, hasTime: Bool)? {
        json.record(line).map { ($0.record, $0.hasTime) }
    }
}
