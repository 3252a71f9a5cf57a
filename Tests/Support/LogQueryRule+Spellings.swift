internal import Taffrail
internal import TaffrailQuery

extension LogQueryRule {
    /// Rules about strings with the same characters and different bytes, and about the order of strings.
    static let spellings: [LogQueryRule] = [
        LogQueryRule("names, words and values are compared by their bytes") { subject in
            let spellings = ["caf\u{E9}", "cafe\u{301}"]
            try subject.save(
                spellings.enumerated().map { number, text in
                    StoredRecord(
                        time: Timestamp(nanoseconds: RecordPool.start + Int64(number)), level: .info,
                        message: "\(text) closed", eventName: text, logger: text, device: text,
                        attributes: [LogValueEntry("place", .string(text))], run: text, sequence: UInt64(number + 1))
                })
            let query = try subject.query()
            for (number, text) in spellings.enumerated() {
                let tests: [LogTest] = [
                    .text(text, isPrefix: false), .text("\(text) clos", isPrefix: true), .message(text),
                    .logger([text]), .exactLogger([text]), .device([LogName(text)]), .event([LogName(text)]),
                    .run(text), .attribute("place", .equals([LogLiteral(text)])),
                ]
                for test in tests {
                    let selection = LogSelection([LogCondition(test)])
                    let found = try all(query, selection).map { $0.sequence ?? 0 }
                    try require(found == [UInt64(number + 1)], "\(selection) finds the records \(found)")
                }
            }
            for text in ["", "\"closed\""] {
                for field in ["logger", "device", "event", "place"] {
                    let found = try query.values(ValuesRequest(field, LogSelection(parsing: text)))
                    let bytes = found.values.map { Array($0.value.description.utf8) }
                    try require(
                        found.distinct == 2 && bytes == spellings.reversed().map { Array($0.utf8) }
                            && found.values.allSatisfy { $0.count == 1 }, "\(text) \(field): \(found) is wrong")
                }
            }
        },
        LogQueryRule("levels with the same number of records are in the order of their names") { subject in
            let levels = Level.allCases
            try subject.save(
                levels.enumerated().map { number, level in
                    StoredRecord(
                        time: Timestamp(nanoseconds: RecordPool.start + Int64(number)), level: level,
                        message: "closed", logger: "net", device: "ferry", run: "1", sequence: UInt64(number + 1))
                })
            let query = try subject.query()
            for text in ["", "\"closed\""] {
                for limit in [3, 100] {
                    var request = ValuesRequest("level", try LogSelection(parsing: text))
                    request.limit = limit
                    let found = try query.values(request)
                    let names = levels.map(\.name).sorted().prefix(limit).map { LogValue.string($0) }
                    try require(
                        found.values.map(\.value) == names && found.distinct == levels.count,
                        "\(text): \(found) is wrong")
                }
            }
        },
    ]
}
