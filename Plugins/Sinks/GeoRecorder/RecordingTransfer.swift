#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailHTTP
internal import TaffrailText

/// The transfer of one recording to a receiver: one query, then consecutive parts.
///
/// Confined to one thread.
final class RecordingTransfer {
    /// The result of a request.
    enum Step {
        /// Continue; this number of bytes has been sent.
        case sent(Int)
        /// The receiver has the whole recording.
        case complete
        /// Try again later.
        case failed(reason: String, notBefore: Int64?)
        /// The recording will not be accepted in this form.
        case refused(reason: String)
        case interrupted
    }

    let name: String
    private let file: FileDescriptor
    private let size: Int
    private let digest: String
    private var offset: Int?
    private var partSize: Int
    /// How often the receiver has requested another part than the one sent, or computed another hash.
    private var corrections = 0

    /// The sizes of the first and the smallest part, in bytes.
    static let parts = (first: 1 << 20, least: 64 << 10)

    /// Opens a recording, and hashes it.
    ///
    /// - Parameter name: Its name at the receiver.
    init(_ path: String, as name: String, partSize: Int = RecordingTransfer.parts.first) throws(SystemError) {
        self.name = name
        self.partSize = partSize
        let file = try FileDescriptor(reading: path)
        let size = try file.size
        var stream = SHA256.Stream()
        var hashed = 0
        while hashed < size {
            let bytes = try file.read(min(1 << 18, size - hashed), at: Int64(hashed))
            guard !bytes.isEmpty else { break }
            stream.update(bytes)
            hashed += bytes.count
        }
        digest = "sha-256=:\(Base64.encoded(stream.finish())):"
        self.size = size
        self.file = file
    }

    /// Makes one request.
    func advance(_ channel: HTTPChannel) -> Step {
        guard let offset else { return ask(channel) }
        let part: [UInt8]
        do throws(SystemError) { part = try file.read(min(partSize, size - offset), at: Int64(offset)) } catch {
            return .failed(reason: "\(error)", notBefore: nil)
        }
        guard size > 0, !part.isEmpty || offset == size else { return .refused(reason: "\(name) was truncated") }
        var message = HTTPChannel.Message(part, contentType: "application/octet-stream", key: "", count: 1)
        message.method = "PUT"
        message.path = "/" + name
        message.headers = [
            ("Content-Range", part.isEmpty ? "bytes */\(size)" : "bytes \(offset)-\(offset + part.count - 1)/\(size)"),
            ("Repr-Digest", digest),
        ]
        let outcome = channel.post(message) { status, _ in Self.meaning(status) }
        switch outcome.status {
        case 200, 201:
            // The login page of a network also has the status 200.
            guard outcome.status == 201 || Self.progress(outcome).isComplete else {
                return .failed(
                    reason: "\(channel.origin) returned 200 without confirming the whole recording", notBefore: nil)
            }
            return .complete
        case 202:
            return go(on: Self.progress(outcome).offset ?? offset + part.count, after: outcome, bytes: part.count)
        case 409:
            guard let wanted = Self.progress(outcome).offset, wanted != offset else {
                return .refused(reason: outcome.attempt.reason)
            }
            return correct(to: wanted, after: outcome, bytes: part.count)
        case 413 where partSize > Self.parts.least:
            partSize = max(Self.parts.least, partSize / 2)
            return .sent(part.count)
        case 422: return correct(to: 0, after: outcome, bytes: part.count)
        default: return Self.failure(outcome)
        }
    }

    /// Queries the number of bytes that the receiver has.
    private func ask(_ channel: HTTPChannel) -> Step {
        var message = HTTPChannel.Message([], contentType: "", key: "", count: 1)
        message.method = "HEAD"
        message.path = "/" + name
        let outcome = channel.post(message) { status, _ in Self.meaning(status) }
        switch outcome.status {
        case 200, 204:
            let (known, isComplete) = Self.progress(outcome)
            if isComplete, known == size { return .complete }
            offset = min(known ?? 0, size)
            return .sent(0)
        // Nothing has arrived, or the receiver does not support the query.
        case 404, 405, 501:
            offset = 0
            return .sent(0)
        default: return Self.failure(outcome)
        }
    }

    private func go(on next: Int, after outcome: HTTPChannel.Outcome, bytes: Int) -> Step {
        // An empty part has no next offset.
        guard let offset, next > offset, next <= size else {
            return correct(to: next, after: outcome, bytes: bytes)
        }
        self.offset = next
        return .sent(bytes)
    }

    private func correct(to wanted: Int, after outcome: HTTPChannel.Outcome, bytes: Int) -> Step {
        corrections += 1
        guard corrections <= 3, (0...size).contains(wanted) else { return .refused(reason: outcome.attempt.reason) }
        offset = wanted
        return .sent(bytes)
    }

    private static func progress(_ outcome: HTTPChannel.Outcome) -> (offset: Int?, isComplete: Bool) {
        (outcome.header("Upload-Offset").flatMap { Int($0) }, outcome.header("Upload-Complete") == "?1")
    }

    private static func failure(_ outcome: HTTPChannel.Outcome) -> Step {
        switch outcome.attempt.verdict {
        case .interrupted: .interrupted
        case .later(let notBefore): .failed(reason: outcome.attempt.reason, notBefore: notBefore)
        case .denied: .failed(reason: outcome.attempt.reason, notBefore: nil)
        case .accepted, .tooLarge, .refused: .refused(reason: outcome.attempt.reason)
        }
    }

    private static func meaning(_ status: Int) -> ResponseMeaning {
        switch status {
        case 200...202, 204: ResponseMeaning(.accepted(refused: 0))
        case 507: ResponseMeaning(.later)
        default: ResponseMeaning(failure: status)
        }
    }
}
#endif
