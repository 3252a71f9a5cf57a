internal import Taffrail
internal import TaffrailQuery

extension LogQueryRule {
    /// Rules about the order of arrival.
    static let arrivals: [LogQueryRule] = [
        LogQueryRule("pages in the order of arrival have every record once, also those that came at one time") {
            subject in
            var records = RecordPool.records(300 / subject.divisor, seed: 21)
            for index in records.indices {
                // Batches of up to seven arrive at the same time, and not in the order of their origin's times.
                records[index].arrival = Timestamp(
                    nanoseconds: RecordPool.start + Int64(index / 7 * 31 % 40) * 1_000_000_000)
            }
            try subject.save(records)
            records = records.map(subject.kept)
            let query = try subject.query()
            for text in ["", "level>=warning", "\"disk\"", "-device:ferry status:*"] {
                let selection = try LogSelection(parsing: text)
                let wanted = Set(records.filter(selection.matches))
                for isNewestFirst in [true, false] {
                    for (limit, effort) in [(1, 1_000_000), (5, 11), (7, 1_000_000), (1_000, 1_000_000)] {
                        let found = try all(
                            query, selection, limit: limit, isNewestFirst: isNewestFirst, clock: .arrival,
                            effort: effort)
                        try require(
                            found.count == wanted.count && Set(found.map(bare)) == wanted,
                            "\(text): pages of \(limit) have \(found.count) of \(wanted.count) records")
                        let times = found.map(\.arrival)
                        try require(
                            times == (isNewestFirst ? times.sorted(by: >) : times.sorted()),
                            "pages of \(limit) are in disorder")
                    }
                }
            }
            var request = RecordRequest()
            (request.clock, request.limit) = (.arrival, 1_000)
            let (since, until) = (RecordPool.start + 5_000_000_000, RecordPool.start + 20_000_000_000)
            request.arrivedSince = Timestamp(nanoseconds: since)
            request.arrivedUntil = Timestamp(nanoseconds: until)
            let between = records.filter { (since..<until).contains($0.arrival.nanoseconds) }
            try require(
                Set(try query.records(request).records.map(bare)) == Set(between), "other records arrived then")
            request.cursor = "0000000000000001"
            do {
                _ = try query.records(request)
                throw Violation(description: "a cursor of the other order is accepted")
            } catch is LogQueryError {}
        }
    ]
}
