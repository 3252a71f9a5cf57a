internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// A record as clients of `GET /stream` receive it.
struct LiveEvent: Sendable {
    /// Its number among all records since the first client joined.
    let index: UInt64
    let id: LiveID
    /// The record by which clients select, complete even if the event is shortened.
    let record: StoredRecord
    /// The text of the event, which all clients share.
    let text: SharedBytes
    /// The approximate memory that it uses, in bytes.
    let cost: Int

    /// - Parameters:
    ///   - device: The device of a record of this program without one.
    ///   - longest: The maximum size of the JSON, in bytes.
    ///   - largest: The maximum memory of a complete record, in bytes; only the shortened form of a larger one is kept.
    init(_ record: LogRecord, device: String, index: UInt64, longest: Int, largest: Int) {
        let whole = StoredRecord(record, device: device)
        let size = whole.memory
        let shown = Self.shown(whole, size: size, longest)
        let id = LiveID(record)
        let bytes = Array("id: \(id.text)\ndata: ".utf8) + shown.json + Array("\n\n".utf8)
        self.index = index
        self.id = id
        self.record = size > largest ? shown.record : whole
        text = SharedBytes(bytes)
        cost = bytes.count + (size > largest ? shown.record.memory : size)
    }

    /// Returns a record in the form that is sent: shortened if its JSON is too long.
    private static func shown(
        _ record: StoredRecord, size: Int, _ longest: Int
    ) -> (record: StoredRecord, json: [UInt8]) {
        // Larger records are shortened without encoding them first.
        if size <= 4 * longest, case let json = record.json, json.count <= longest { return (record, json) }
        var budget = longest
        while true {
            budget /= 2
            let record = record.shortened(to: budget)
            let json = record.json
            // A byte is encoded as at most six, so the first condition ends the loop.
            if json.count <= longest || budget < 64 { return (record, json) }
        }
    }
}

extension StoredRecord {
    /// The attribute of a shortened record.
    private static let truncated = LogValueEntry("taffrail.truncated", true)

    /// The approximate memory that it uses, in bytes.
    var memory: Int {
        attributes.reduce(256 + message.utf8.count + logger.utf8.count) { $0 + $1.memory }
    }

    /// Returns a record with truncated strings and as many attributes as fit into about `budget` bytes.
    func shortened(to budget: Int) -> StoredRecord {
        var result = self
        let (most, part) = (budget / 2, budget / 16)
        result.message = message.prefix(bytes: most)
        result.logger = logger.prefix(bytes: part)
        result.eventName = eventName?.prefix(bytes: part)
        result.device = device.prefix(bytes: part)
        result.run = run.prefix(bytes: part)
        result.source?.file = source?.file.prefix(bytes: part) ?? ""
        result.source?.function = source?.function.prefix(bytes: part) ?? ""
        var left = most
        result.attributes = attributes.filter { entry in
            guard entry.memory <= left else { return false }
            left -= entry.memory
            return true
        }
        if result.attributes.count < attributes.count || result.message != message {
            result.attributes.append(Self.truncated)
        }
        return result
    }
}

extension String {
    /// Returns the longest prefix that has at most `limit` bytes.
    fileprivate func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
