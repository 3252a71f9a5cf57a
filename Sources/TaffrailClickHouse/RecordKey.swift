#if HTTP
internal import Taffrail

/// Identifies a record in a table, and defines the order of records: by time, by number in the run, and by a
/// hash.
struct RecordKey: Hashable {
    /// Nanoseconds since 1970.
    var time: Int64
    var sequence: UInt64
    var hash: UInt64

    /// 48 hexadecimal digits.
    var text: String { [UInt64(bitPattern: time), sequence, hash].map { RingID($0).description }.joined() }

    init(time: Int64, sequence: UInt64, hash: UInt64) {
        self.time = time
        self.sequence = sequence
        self.hash = hash
    }

    /// - Returns: `nil` if the string is not ``text`` of a key.
    init?(_ text: String) {
        guard text.utf8.count == 48, text.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let digits = Array(text)
        let parts = (0..<3).compactMap { RingID(String(digits[$0 * 16..<$0 * 16 + 16]))?.value }
        guard parts.count == 3 else { return nil }
        self.init(time: Int64(bitPattern: parts[0]), sequence: parts[1], hash: parts[2])
        // Other spellings, such as capital hexadecimal digits, are not valid.
        guard self.text == text else { return nil }
    }

    /// Returns a key that follows all records of a time in the given order.
    static func end(of time: Int64, isNewestFirst: Bool) -> RecordKey {
        isNewestFirst
            ? RecordKey(time: time, sequence: 0, hash: 0) : RecordKey(time: time, sequence: .max, hash: .max)
    }
}
#endif
