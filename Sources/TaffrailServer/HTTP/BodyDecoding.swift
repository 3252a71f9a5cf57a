internal import Taffrail
internal import TaffrailText

/// Decodes a body.
enum BodyDecoding {
    /// Returns the decoded bytes.
    ///
    /// - Parameters:
    ///   - coding: The value of `Content-Encoding`.
    ///   - limit: The maximum size of the result, in bytes. Decoding stops there.
    static func decoded(_ body: [UInt8], _ coding: String?, limit: Int) throws(Problem) -> [UInt8] {
        switch coding?.lowercased() {
        case nil, "", "identity": return body
        case "gzip", "x-gzip": return try gunzipped(body, limit: limit)
        default: throw Problem(415, "the content encoding must be gzip or identity")
        }
    }

    private static func gunzipped(_ body: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
        do throws(SystemError) {
            let file = try FileDescriptor(inMemory: "body")
            try file.write(body, at: 0)
            let bytes = try GzipSource(file).readAll(limit: limit + 1)
            guard bytes.count <= limit else { throw SystemError("gunzip", code: Errno.full) }
            return bytes
        } catch {
            if error.code == Errno.full { throw Problem(413, "the body has more than \(limit) bytes decompressed") }
            if GzipReader.isDamage(error) { throw .bad("the body is not gzip, or is truncated") }
            throw Problem(503, "the body cannot be decompressed: \(error.reason)", retryAfter: .seconds(10))
        }
    }
}
