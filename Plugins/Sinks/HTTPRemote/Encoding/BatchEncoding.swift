#if HTTP
internal import Taffrail
internal import TaffrailDelivery

/// The format of a batch in a protocol, and the meaning of the responses.
protocol BatchEncoding: Sendable {
    var contentType: String { get }

    /// Whether a response lists each record, so that its length depends on the batch.
    var responseListsEachRecord: Bool { get }

    /// Whether the body of a request may be compressed.
    var isCompressible: Bool { get }

    /// Returns the body of a request.
    ///
    /// - Throws: An error if a record cannot be encoded.
    func body(of batch: SpoolBatch, from resource: ResourceAttributes) throws -> [UInt8]

    /// Returns the meaning of a response, by its status and its body.
    func verdict(_ status: Int, _ body: [UInt8]) -> ResponseMeaning
}

extension BatchEncoding {
    var responseListsEachRecord: Bool { false }
    var isCompressible: Bool { true }
}
#endif
