#if HTTP
import TaffrailTestSupport

@testable import Taffrail
@testable import TaffrailText

/// A receiver of recordings that keeps them in memory, by the rules of ours.
final class RecordingReceiver: Sendable {
    private struct Stored {
        var bytes: [UInt8] = []
        var total = 0
    }

    let server: FaultServer
    private let files = Locked<[String: Stored]>([:])

    init() throws {
        server = try FaultServer()
        server.reply { [weak self] in self?.reply(to: $0) ?? .close }
    }

    var url: String { "http://127.0.0.1:\(server.port)/recordings" }

    /// What has arrived whole.
    var whole: [String: [UInt8]] {
        files.withLock { $0.filter { $0.value.bytes.count == $0.value.total }.mapValues(\.bytes) }
    }

    /// How many bytes of parts were sent.
    var sentBytes: Int { server.requests.filter { $0.line.hasPrefix("PUT") }.reduce(0) { $0 + $1.body.count } }

    /// Forgets the end of what has arrived of everything.
    func cut(to count: Int) {
        files.withLock { $0 = $0.mapValues { Stored(bytes: Array($0.bytes.prefix(count)), total: $0.total) } }
    }

    /// The usual answer.
    func reply(to request: FaultServer.Request) -> FaultServer.Reply {
        let words = request.line.split(separator: " ").map(String.init)
        let name = String(words[1].dropFirst("/recordings/".count))
        return files.withLock { files in
            func progress(_ status: Int) -> FaultServer.Reply {
                let file = files[name] ?? Stored()
                let isWhole = file.bytes.count == file.total
                return .answer(
                    status,
                    headers: ["Upload-Offset": "\(file.bytes.count)", "Upload-Complete": isWhole ? "?1" : "?0"])
            }
            if words[0] == "HEAD" { return files[name] == nil ? .answer(404) : progress(200) }
            let range = (request.headers["content-range"] ?? "").dropFirst("bytes ".count).split(separator: "/")
            guard words[0] == "PUT", range.count == 2, let total = Int(range[1]) else { return .answer(400) }
            var file = files[name] ?? Stored(bytes: [], total: total)
            let start = range[0] == "*" ? total : Int(range[0].split(separator: "-")[0]) ?? 0
            guard start == file.bytes.count, file.total == total else { return progress(409) }
            file.bytes += request.body
            files[name] = file
            guard file.bytes.count == total else { return progress(202) }
            let digest = "sha-256=:\(LogValue.bytes(SHA256.hash(file.bytes))):"
            guard request.headers["repr-digest"] == digest else {
                files[name] = Stored(bytes: [], total: total)
                return progress(422)
            }
            return progress(201)
        }
    }
}
#endif
