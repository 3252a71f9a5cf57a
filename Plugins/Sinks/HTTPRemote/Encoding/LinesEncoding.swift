#if HTTP
internal import Taffrail
internal import TaffrailDelivery

/// A JSON object per line, as in a log file.
struct LinesEncoding: BatchEncoding {
    var contentType: String { "application/x-ndjson" }

    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8] {
        var buffer = LineBuffer(capacity: 64 << 10)
        var encoder = JSONLineEncoder()
        _ = batch.withRecords { batch in
            batch.forEach { encoder.encode($0, into: &buffer) }
        }
        return Array(buffer.bytes)
    }

    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning {
        switch status {
        case 200, 201, 202, 204: ResponseMeaning(.accepted(refused: 0))
        // Other statuses, such as Loki's 260, confirm nothing.
        case 200..<300: ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }
}
#endif
