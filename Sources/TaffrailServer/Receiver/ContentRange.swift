/// The part of a recording in a request: `bytes FIRST-LAST/TOTAL` in `Content-Range`; without the header, all of it.
/// `bytes */TOTAL` without a body finishes a recording whose bytes have all arrived, if an earlier request could not.
struct ContentRange {
    let start: Int
    let total: Int

    init(_ request: ServerRequest) throws(Problem) {
        let count = request.body.count
        guard let text = request.header("content-range") else {
            (start, total) = (0, count)
            guard count > 0 else { throw .bad("the recording is empty") }
            return
        }
        let parts = text.hasPrefix("bytes ") ? text.dropFirst(6).split(separator: "/") : []
        if parts.count == 2, parts[0] == "*", count == 0, let total = Self.number(parts[1]), total > 0,
            total <= RecordingUploads.limit
        {
            (start, self.total) = (total, total)
            return
        }
        let ends = parts.first?.split(separator: "-") ?? []
        guard parts.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let total = Self.number(parts[1]), first <= last, last < total, last - first + 1 == count
        else { throw Problem(416, "Content-Range must be bytes FIRST-LAST/TOTAL, and match the length of the body") }
        guard total <= RecordingUploads.limit else {
            throw Problem(413, "a recording may have at most \(RecordingUploads.limit) bytes")
        }
        (start, self.total) = (first, total)
    }

    /// Parses a number that consists of digits only.
    static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? Int(text) : nil
    }
}
