internal import Taffrail
internal import TaffrailText

/// Recordings that devices upload, whole or in parts, into a directory.
///
/// A recording gets its name only once all of it has arrived, its hash is correct, and it survives power loss. Until
/// then its file is `NAME.TOTAL.part`, to which the next part is appended. A name is never reused.
final class RecordingUploads: Sendable {
    /// The maximum size of a recording, in bytes.
    static let limit = 1 << 30

    /// The limits of all recordings together.
    struct Limits {
        /// The maximum size of all files in the directory, in bytes.
        var size = Int64(16) << 30
        /// The maximum number of files.
        var count = 10_000
        /// The divisor for the share of a device with its own token.
        var shares = 4
        /// The space that remains free in the file system for the log, in bytes.
        var free = Int64(512) << 20
        /// How long an incomplete recording is kept after its last part.
        var expiry = Duration.seconds(7 * 86_400)
    }

    private let directory: String
    private let limits: Limits
    /// The names whose files a request uses.
    private let busy = Locked<Set<String>>([])
    /// The hashes of finished recordings, by name, because a client may send the same one repeatedly.
    private let digests = Locked<[String: Digest]>([:])

    /// The hash of a file that has not changed.
    private struct Digest {
        let version: FileStatus.Version
        let hash: [UInt8]
    }

    init(_ directory: String, _ limits: Limits = Limits()) {
        self.directory = directory
        self.limits = limits
    }

    /// The prefix of the paths of recordings.
    static let prefix = "/recordings/"

    /// Answers a request. Blocks.
    ///
    /// - Parameters:
    ///   - device: The device of the client's token; `nil`: none.
    ///   - isCancelled: Whether the response is no longer needed.
    func answer(
        _ request: ServerRequest, device: String? = nil, isCancelled: () -> Bool = { false }
    ) -> ServerAnswer {
        do throws(Problem) {
            let plain = try Self.name(in: request.target.path)
            let name = Self.directoryName(of: device).map { $0 + "/" + plain } ?? plain
            guard busy.withLock({ $0.insert(name).inserted }) else {
                throw Problem(503, "another request is sending this recording", retryAfter: .seconds(1))
            }
            defer { busy.withLock { _ = $0.remove(name) } }
            let outcome: Outcome
            do throws(SystemError) {
                outcome = try request.method == "PUT" ? put(name, request, isCancelled) : state(of: name)
            } catch {
                if error.isFull { throw Problem(503, "the disk is full", retryAfter: .seconds(60)) }
                if error.code == Errno.cancelled { throw Problem.shuttingDown }
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

    /// Returns the directory that contains a recording.
    private func directory(of name: String) -> String { Directory.parent(of: path(name)) ?? directory }

    /// Returns the number of bytes of a recording that have arrived.
    private func state(of name: String) throws(SystemError) -> Outcome {
        if let status = try FileStatus.of(path(name)) {
            return .success(Self.progress(ServerAnswer(200), Int(status.size), isComplete: true))
        }
        guard let part = try part(of: name) else {
            return .failure(Problem(404, "no part of this recording has been received"))
        }
        return .success(Self.progress(ServerAnswer(200), part.size, isComplete: false))
    }

    private static func progress(_ answer: ServerAnswer, _ size: Int, isComplete: Bool) -> ServerAnswer {
        var answer = answer
        answer.headers += [("upload-offset", "\(size)"), ("upload-complete", isComplete ? "?1" : "?0")]
        return answer
    }

    /// The part of a recording that has arrived.
    private struct Part {
        let path: String
        /// The number of bytes of the whole recording.
        let total: Int
        let size: Int
    }

    private func part(of name: String) throws(SystemError) -> Part? {
        let parent = directory(of: name)
        for file in Directory.names(in: parent) {
            let part = parent + "/" + file
            guard part.hasPrefix(path(name) + "."), part.hasSuffix(".part"),
                let total = ContentRange.number(part.dropFirst(path(name).count + 1).dropLast(5)),
                let status = try FileStatus.of(part)
            else { continue }
            return Part(path: part, total: total, size: Int(status.size))
        }
        return nil
    }

    /// All files of all devices, by their paths in the directory.
    private var files: [String] {
        Directory.names(in: directory).flatMap { name in
            // The names of recordings and their parts contain a dot, those of devices' directories do not.
            name.contains(".") ? [name] : Directory.names(in: path(name)).map { name + "/" + $0 }
        }
    }

    /// Removes expired incomplete recordings, and checks the limits for a new one.
    private func makeSpace(for total: Int, _ name: String) throws(SystemError) -> Problem? {
        var size = Int64(total)
        var count = 1
        // The recordings of the same device, which are in its own directory.
        var own = (size: size, count: 1)
        let ownPrefix = name.contains("/") ? name.prefix { $0 != "/" } + "/" : ""
        let oldest = Timestamp.now.nanoseconds - limits.expiry.nanoseconds
        for file in files {
            guard let status = try FileStatus.of(directory + "/" + file) else { continue }
            let name = file.split(separator: ".", omittingEmptySubsequences: false).dropLast(2).joined(separator: ".")
            if file.hasSuffix(".part"), status.modified < oldest, busy.withLock({ !$0.contains(name) }) {
                try FileName.remove(directory + "/" + file)
                continue
            }
            size += status.size
            count += 1
            if file.hasPrefix(ownPrefix) { own = (own.size + status.size, own.count + 1) }
        }
        guard size <= limits.size, count <= limits.count else {
            return Problem(507, "there are too many recordings")
        }
        let shares = ownPrefix.isEmpty ? 1 : limits.shares
        guard own.size <= limits.size / Int64(shares), own.count <= limits.count / shares else {
            return Problem(507, "this device has too many recordings")
        }
        return try missingSpace(for: total)
    }

    /// Returns a problem if recordings would fill the disk, which the log may share.
    private func missingSpace(for bytes: Int) throws(SystemError) -> Problem? {
        guard let free = Directory.freeSpace(at: directory), free - limits.free < Int64(bytes) else { return nil }
        return Problem(507, "the disk has too little free space")
    }

    private func put(
        _ name: String, _ request: ServerRequest, _ isCancelled: () -> Bool
    ) throws(SystemError) -> Outcome {
        let range: ContentRange
        let digest: [UInt8]?
        do throws(Problem) {
            range = try ContentRange(request)
            digest = try Self.digest(in: request)
        } catch {
            return .failure(error)
        }
        if !FileName.exists(directory(of: name)) {
            let isNew = !FileName.exists(directory)
            try Directory.create(directory(of: name), mode: 0o700)
            // Otherwise, a power loss could remove the directory with a finished recording.
            try Directory.synchronize(directory)
            if isNew { try Directory.synchronize(Directory.parent(of: directory) ?? ".") }
        }
        if let status = try FileStatus.of(path(name)) {
            // The response to the last part was lost.
            var isSame = Int(status.size) == range.total
            if isSame, let digest { isSame = try self.digest(of: name, status, isCancelled) == digest }
            guard isSame else { return .failure(Problem(409, "another recording has this name")) }
            return .success(Self.progress(ServerAnswer(200), range.total, isComplete: true))
        }
        let begun = try part(of: name)
        guard range.start <= begun?.size ?? 0 else {
            var answer = Problem(409, "the part does not start at the end of the previous one").answer
            answer = Self.progress(answer, begun?.size ?? 0, isComplete: false)
            return .success(answer)
        }
        if let begun, begun.total != range.total {
            var answer = Problem(409, "a recording with this name and \(begun.total) bytes is being sent").answer
            answer = Self.progress(answer, begun.size, isComplete: false)
            return .success(answer)
        }
        if let problem = try begun == nil ? makeSpace(for: range.total, name) : missingSpace(for: request.body.count) {
            return .failure(problem)
        }
        let part = path(name) + ".\(range.total).part"
        let file = try FileDescriptor(part, [.readWrite, .create, .noFollow])
        try file.truncate(to: Int64(range.start))
        try file.write(request.body, at: Int64(range.start))
        let end = range.start + request.body.count
        guard end == range.total else {
            return .success(Self.progress(ServerAnswer(202), end, isComplete: false))
        }
        if let digest, try hash(part, isCancelled) != digest {
            try FileName.remove(part)
            return .failure(Problem(422, "the recording does not match the digest in the request"))
        }
        try file.synchronize(withAttributes: true)
        let code = FileName.renameExclusively(part, to: path(name))
        guard code == 0 else { throw SystemError("rename \(part)", code: code) }
        try Directory.synchronize(directory(of: name))
        return .success(Self.progress(ServerAnswer(201), end, isComplete: true))
    }

    /// Returns the hash of a finished recording.
    private func digest(
        of name: String, _ status: FileStatus, _ isCancelled: () -> Bool
    ) throws(SystemError) -> [UInt8] {
        let known = digests.withLock { $0[name] }
        if let known, known.version == status.version { return known.hash }
        let hash = try hash(path(name), isCancelled)
        let digest = Digest(version: status.version, hash: hash)
        digests.withLock { digests in
            if digests.count >= limits.count { digests = [:] }
            digests[name] = digest
        }
        return hash
    }

    /// Returns the hash of a file.
    private func hash(_ path: String, _ isCancelled: () -> Bool) throws(SystemError) -> [UInt8] {
        let source = try FileSource(path: path)
        var stream = SHA256.Stream()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            if isCancelled() { throw SystemError("hash \(path)", code: Errno.cancelled) }
            let count = try source.read(into: buffer)
            guard count > 0 else { return stream.finish() }
            stream.update(buffer[..<count])
        }
    }

    /// Returns the digest of the whole recording in `Repr-Digest` (RFC 9530); `nil`: none.
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
