internal import Taffrail
internal import TaffrailText

/// Recordings that devices upload, whole or in parts, into a directory.
///
/// A recording has its name only once all of it has arrived, its hash is right, and it survives power loss. Until then it is
/// `NAME.part`, to which the next part is appended. A name is never given twice.
final class RecordingUploads: Sendable {
    /// The most bytes of a recording.
    static let limit = 1 << 30

    private let directory: String
    /// The names whose files are in use by a request.
    private let busy = Locked<Set<String>>([])

    init(_ directory: String) { self.directory = directory }

    /// The prefix of the paths of recordings.
    static let prefix = "/recordings/"

    /// The name in a path.
    static func name(in path: String) throws(Problem) -> String {
        let name = path.dropFirst(prefix.count)
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard path.hasPrefix(prefix), isPlain, name.utf8.count <= 128, !name.hasPrefix("."), !name.hasPrefix("-"),
            name.hasSuffix(".json") || name.hasSuffix(".json.gz")
        else {
            throw .bad("a recording's name consists of letters, digits, - _ and ., and ends with .json or .json.gz")
        }
        return String(name)
    }

    /// Answers a request. Blocks.
    func answer(_ request: ServerRequest) -> ServerAnswer {
        do throws(Problem) {
            let name = try Self.name(in: request.target.path)
            guard busy.withLock({ $0.insert(name).inserted }) else {
                throw Problem(503, "another request sends this recording", retryAfter: 1)
            }
            defer { busy.withLock { _ = $0.remove(name) } }
            let outcome: Outcome
            do throws(SystemError) {
                outcome = try request.method == "PUT" ? put(name, request) : state(of: name)
            } catch {
                if error.isFull { throw Problem(503, "the disk is full", retryAfter: 60) }
                Diagnostics.report("the recording \(name) cannot be stored: \(error)")
                throw Problem(500, "the recording cannot be stored")
            }
            return try outcome.get()
        } catch {
            return error.answer
        }
    }

    private typealias Outcome = Result<ServerAnswer, Problem>

    private func path(_ name: String) -> String { directory + "/" + name }

    /// How much of a recording has arrived.
    private func state(of name: String) throws(SystemError) -> Outcome {
        if let status = try FileStatus.of(path(name)) {
            return .success(Self.progress(ServerAnswer(200), Int(status.size), isComplete: true))
        }
        guard let status = try FileStatus.of(path(name) + ".part") else {
            return .failure(Problem(404, "nothing of this recording has arrived"))
        }
        return .success(Self.progress(ServerAnswer(200), Int(status.size), isComplete: false))
    }

    private static func progress(_ answer: ServerAnswer, _ size: Int, isComplete: Bool) -> ServerAnswer {
        var answer = answer
        answer.headers += [("upload-offset", "\(size)"), ("upload-complete", isComplete ? "?1" : "?0")]
        return answer
    }

    private func put(_ name: String, _ request: ServerRequest) throws(SystemError) -> Outcome {
        let range: ContentRange
        let digest: [UInt8]?
        do throws(Problem) {
            range = try ContentRange(request)
            digest = try Self.digest(in: request)
        } catch {
            return .failure(error)
        }
        try Directory.create(directory, mode: 0o700)
        if let status = try FileStatus.of(path(name)) {
            // The answer to the last part was lost.
            let isSame = try digest.map { bytes throws(SystemError) in try hash(path(name)) == bytes } ?? true
            guard Int(status.size) == range.total, isSame else {
                return .failure(Problem(409, "another recording has this name"))
            }
            return .success(Self.progress(ServerAnswer(200), range.total, isComplete: true))
        }
        let part = path(name) + ".part"
        let file = try FileDescriptor(part, [.readWrite, .create, .noFollow])
        let size = try file.size
        guard range.start <= size else {
            var answer = Problem(409, "the part does not begin where the former one has ended").answer
            answer = Self.progress(answer, size, isComplete: false)
            return .success(answer)
        }
        try file.truncate(to: Int64(range.start))
        try file.write(request.body, at: Int64(range.start))
        let end = range.start + request.body.count
        guard end == range.total else {
            return .success(Self.progress(ServerAnswer(202), end, isComplete: false))
        }
        let found = try hash(part)
        if let digest, digest != found {
            try FileName.remove(part)
            return .failure(Problem(422, "the recording does not have the digest of the request"))
        }
        try file.synchronize(withAttributes: true)
        let code = FileName.renameExclusively(part, to: path(name))
        guard code == 0 else { throw SystemError("rename \(part)", code: code) }
        try Directory.synchronize(directory)
        return .success(Self.progress(ServerAnswer(201), end, isComplete: true))
    }

    /// The hash of a file.
    private func hash(_ path: String) throws(SystemError) -> [UInt8] {
        let source = try FileSource(path: path)
        var stream = SHA256.Stream()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try source.read(into: buffer)
            guard count > 0 else { return stream.finish() }
            stream.update(buffer[..<count])
        }
    }

    /// The digest of the whole recording in `Repr-Digest` (RFC 9530); `nil`: none.
    private static func digest(in request: ServerRequest) throws(Problem) -> [UInt8]? {
        guard let text = request.header("repr-digest") else { return nil }
        for field in text.split(separator: ",") {
            let field = field.drop { $0 == " " }
            guard field.hasPrefix("sha-256=:"), field.hasSuffix(":") else { continue }
            guard let bytes = Base64.decoded(field.utf8.dropFirst(9).dropLast()), bytes.count == 32 else { break }
            return bytes
        }
        throw .bad("Repr-Digest must be sha-256=:BASE64:")
    }
}

/// The part of a recording that a request contains: `bytes FIRST-LAST/TOTAL` in `Content-Range`, else all of it.
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
        let ends = parts.first?.split(separator: "-") ?? []
        guard parts.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let total = Self.number(parts[1]), first <= last, last < total, last - first + 1 == count
        else { throw Problem(416, "Content-Range must be bytes FIRST-LAST/TOTAL, with as many bytes as the body has") }
        guard total <= RecordingUploads.limit else {
            throw Problem(413, "a recording may have at most \(RecordingUploads.limit) bytes")
        }
        (start, self.total) = (first, total)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { FormFields.digit($0).map { $0 < 10 } ?? false } ? Int(text) : nil
    }
}
