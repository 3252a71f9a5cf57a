#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

extension LogStoreReader {
    /// Returns a page of records in the order of their arrival.
    func arrivals(_ request: RecordRequest) throws(LogQueryError) -> RecordPage {
        var cursor: ArrivalScan.Position?
        if let text = request.cursor {
            guard let position = ArrivalScan.Position(text) else {
                throw LogQueryError(.invalid, "the cursor is from a page in another order", parameter: "cursor")
            }
            cursor = position
        }
        let limit = min(max(1, request.limit), 10_000)
        return try read(pages) { [cursor] db in
            // The index of words is not in the order of arrival.
            let plan = try LogPlan(request.selection, usesWords: false, db)
            var names = LogNameCache(db)
            var page = RecordPage()
            var last: ArrivalScan.Position?
            var bytes = 0
            let end = try ArrivalScan(plan, request, after: cursor, db).forEach { row in
                // One record more than fits shows that there is a next page.
                guard page.records.count < limit, bytes < Self.mostBytes else { return false }
                bytes += row.byteCount
                page.records.append(try row.record(&names))
                last = ArrivalScan.Position(arrival: row.arrival, id: row.id)
                return true
            }
            let next: ArrivalScan.Position? =
                switch end {
                case .exhausted: nil
                case .stopped: last
                case .effort(let position): position
                }
            page.next = next?.text
            page.reached = next.map { Timestamp(nanoseconds: $0.arrival) }
            return page
        }
    }
}
#endif
