import Foundation
import Taffrail
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailServer

/// Recordings that are uploaded, whole or in parts.
@Suite struct RecordingUploadTests {
    private let folder = TemporaryDirectory()
    private let recording = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    private var uploads: RecordingUploads { RecordingUploads(folder.file("recordings")) }

    private func send(
        _ method: String = "PUT", _ name: String = "drive.json", range: ClosedRange<Int>? = nil, digest: [UInt8]? = nil,
        to uploads: RecordingUploads? = nil, of device: String? = nil
    ) throws -> ServerAnswer {
        var request = ServerRequest(method, try #require(ServerTarget("/recordings/\(name)")))
        request.body = method == "PUT" ? recording : []
        if let range {
            request.body = Array(recording[range])
            request.headers.append(
                ("content-range", "bytes \(range.lowerBound)-\(range.upperBound)/\(recording.count)"))
        }
        if let digest { request.headers.append(("repr-digest", "sha-256=:\(LogValue.bytes(digest)):")) }
        return (uploads ?? self.uploads).answer(request, device: device)
    }

    private var stored: [UInt8]? { try? folder.bytes("recordings/drive.json") }

    @Test func `a whole recording is stored under its name, and once`() throws {
        let answer = try send(digest: SHA256.hash(recording))
        #expect(answer.status == 201 && answer.header("upload-complete") == "?1" && stored == recording)
        #expect(try send(digest: SHA256.hash(recording)).status == 200)
        #expect(try send("HEAD").header("upload-offset") == "100000")
        #expect(try send(digest: SHA256.hash([1])).status == 409)
        #expect(try send("HEAD", "other.json").status == 404)
        #expect(stored == recording)
    }

    @Test func `devices with tokens of their own neither see nor replace each other's recordings`() throws {
        #expect(try send(range: 0...39_999).status == 202)
        for device in ["ferry", "..", "a/b", "-rf", ".hidden", "x.json", "ø", ""] {
            #expect(try send("HEAD", of: device).status == 404)
            #expect(try send(of: device).status == 201, "\(device)")
            #expect(try send("HEAD", of: device).header("upload-complete") == "?1")
        }
        #expect(try send("HEAD").header("upload-offset") == "40000")
        let folders = Directory.names(in: folder.file("recordings")).filter { !$0.hasSuffix(".part") }
        #expect(
            folders.sorted()
                == ["%2d" + "rf", "%2e%2e", "%2ehidden", "%c3%b8", "_", "a%2fb", "ferry", "x%2ejson"].sorted())
        // They share the limits.
        var limits = RecordingUploads.Limits()
        limits.count = 10
        #expect(try send("PUT", "new.json", to: RecordingUploads(folder.file("recordings"), limits)).status == 201)
        #expect(try send("PUT", "newer.json", to: RecordingUploads(folder.file("recordings"), limits)).status == 507)
    }

    @Test func `devices whose long names begin alike have directories of their own`() throws {
        let names = ["-1", "-2"].map { String(repeating: "ж", count: 34) + $0 }
        for name in names {
            #expect(try send("HEAD", of: name).status == 404)
            #expect(try send(of: name).status == 201)
        }
        let folders = Directory.names(in: folder.file("recordings"))
        #expect(folders.count == 2 && folders.allSatisfy { $0.utf8.count <= 200 }, "\(folders)")
    }

    @Test func `a device with a token of its own takes only a part of the space`() throws {
        var limits = RecordingUploads.Limits()
        limits.count = 8
        let few = RecordingUploads(folder.file("recordings"), limits)
        for number in 0..<2 { #expect(try send("PUT", "\(number).json", to: few, of: "ferry").status == 201) }
        let refused = try send("PUT", "2.json", to: few, of: "ferry")
        #expect(refused.status == 507 && String(decoding: refused.body, as: UTF8.self).contains("this device"))
        #expect(try send("PUT", "2.json", to: few, of: "tender").status == 201)
        limits = RecordingUploads.Limits()
        limits.size = 1_000_000
        let small = RecordingUploads(folder.file("recordings"), limits)
        #expect(try send("PUT", "2.json", to: small, of: "ferry").status == 507)
        for number in 0..<4 { #expect(try send("PUT", "\(number).json", to: small).status == 201) }
    }

    @Test func `an upload ends when its answer is no longer wanted, and can be sent again`() throws {
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")))
        request.body = recording
        request.headers.append(("repr-digest", "sha-256=:\(LogValue.bytes(SHA256.hash(recording))):"))
        #expect(uploads.answer(request, isCancelled: { true }).status == 503 && stored == nil)
        #expect(uploads.answer(request).status == 201 && stored == recording)
    }

    @Test func `a finished recording is hashed once, until its file changes`() throws {
        let uploads = uploads
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")))
        request.body = recording
        request.headers.append(("repr-digest", "sha-256=:\(LogValue.bytes(SHA256.hash(recording))):"))
        #expect(uploads.answer(request).status == 201)
        #expect(uploads.answer(request).status == 200)
        var steps = 0
        let counting = { () -> Bool in
            steps += 1
            return false
        }
        #expect(uploads.answer(request, isCancelled: counting).status == 200 && steps == 0)
        var other = recording
        other[0] ^= 1
        try FileManager.default.removeItem(atPath: folder.file("recordings/drive.json"))
        try folder.write(other, to: "recordings/drive.json")
        #expect(uploads.answer(request, isCancelled: counting).status == 409 && steps > 0)
    }

    @Test func `parts continue where the former ones have ended, also after a part that was sent twice`() throws {
        let digest = SHA256.hash(recording)
        let first = try send(range: 0...39_999, digest: digest)
        #expect(
            first.status == 202 && first.header("upload-offset") == "40000" && first.header("upload-complete") == "?0")
        let gap = try send(range: 50_000...99_999, digest: digest)
        #expect(gap.status == 409 && gap.header("upload-offset") == "40000")
        #expect(try send("HEAD").header("upload-offset") == "40000")
        #expect(try send(range: 30_000...59_999, digest: digest).header("upload-offset") == "60000")
        #expect(stored == nil)
        #expect(try send(range: 60_000...99_999, digest: digest).status == 201 && stored == recording)
        #expect(try send(range: 60_000...99_999, digest: digest).status == 200)
    }

    @Test func `a recording whose last step failed is finished without a further part`() throws {
        _ = try send(range: 0...39_999)
        // As after the end of the program between the last byte and the name.
        try folder.write(recording, to: "recordings/drive.json.100000.part")
        #expect(try send("HEAD").header("upload-offset") == "100000")
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")))
        request.headers.append(("content-range", "bytes */100000"))
        #expect(uploads.answer(request).status == 201 && stored == recording)
        #expect(uploads.answer(request).status == 200)
    }

    @Test func `parts with another total do not replace those that have arrived`() throws {
        _ = try send(range: 0...39_999)
        var request = ServerRequest(
            "PUT", try #require(ServerTarget("/recordings/drive.json")), headers: [("content-range", "bytes 0-9/20")])
        request.body = Array(recording[..<10])
        let answer = uploads.answer(request)
        #expect(answer.status == 409 && answer.header("upload-offset") == "40000")
        #expect(try send(range: 40_000...99_999).status == 201 && stored == recording)
    }

    @Test func `a gap leaves no file`() throws {
        #expect(try send(range: 10...20).status == 409)
        #expect(Directory.names(in: folder.file("recordings")).isEmpty)
    }

    @Test func `recordings have a limit together, and what is incomplete expires`() throws {
        var limits = RecordingUploads.Limits()
        limits.size = 150_000
        let uploads = RecordingUploads(folder.file("recordings"), limits)
        #expect(try send(range: 0...9, to: uploads).status == 202)
        #expect(try send("PUT", "other.json", to: uploads).status == 201)
        #expect(try send("PUT", "third.json", to: uploads).status == 507)
        limits.size = 250_000
        limits.expiry = .seconds(-1)
        #expect(try send("PUT", "third.json", to: RecordingUploads(folder.file("recordings"), limits)).status == 201)
        #expect(Directory.names(in: folder.file("recordings")).sorted() == ["other.json", "third.json"])
        limits.free = .max
        #expect(try send("PUT", "fourth.json", to: RecordingUploads(folder.file("recordings"), limits)).status == 507)
        limits.free = 0
        limits.count = 2
        #expect(try send("PUT", "fourth.json", to: RecordingUploads(folder.file("recordings"), limits)).status == 507)
    }

    @Test func `a part in use does not expire, whatever the name of its recording`() throws {
        var limits = RecordingUploads.Limits()
        limits.expiry = .seconds(-1)
        let uploads = RecordingUploads(folder.file("recordings"), limits)
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/a..b.json")), body: recording)
        request.headers.append(("repr-digest", "sha-256=:\(LogValue.bytes(SHA256.hash(recording))):"))
        var other: Int?
        let answer = uploads.answer(request) {
            // Another one is begun while the hash is computed.
            if other == nil { other = (try? send("PUT", "other.json", to: uploads))?.status ?? 0 }
            return false
        }
        #expect(answer.status == 201 && other == 201)
        #expect(try folder.bytes("recordings/a..b.json") == recording)
    }

    @Test func `hashing ends when the answer is no longer wanted`() throws {
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")), body: recording)
        request.headers.append(("repr-digest", "sha-256=:\(LogValue.bytes(SHA256.hash(recording))):"))
        #expect(uploads.answer(request) { true }.status == 503)
        #expect(stored == nil)
        request.headers.append(("content-range", "bytes */100000"))
        request.body = []
        #expect(uploads.answer(request).status == 201)
    }

    @Test func `a recording with another digest gets no name, and begins again`() throws {
        #expect(try send(digest: SHA256.hash([1])).status == 422)
        #expect(stored == nil && folder.size("recordings/drive.json.100000.part") == -1)
        #expect(try send().status == 201)
    }

    @Test(arguments: [
        "bytes 0-9/10", "bytes 5-4/100000", "bytes 0-99999/99999", "bytes 0-99999/*", "0-99999/100000",
        "bytes -99999/100000",
        "bytes +0-99999/100000", "bytes 0-99999/99999999999999999999", "bytes 0-99999", "",
    ])
    func `a range that is not that of the body is refused`(range: String) throws {
        var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")), body: recording)
        request.headers.append(("content-range", range))
        #expect(uploads.answer(request).status == 416)
        #expect(stored == nil)
    }

    @Test(arguments: [
        ".json", "..json", "-a.json", "a.txt", "a.json.part", "a%20b.json", "%C3%B8.json", "a;b.json",
        "\(String(repeating: "a", count: 129)).json", "json",
    ])
    func `a name that is no file name is refused`(name: String) throws {
        #expect(try send("PUT", name).status == 400)
        #expect(Directory.names(in: folder.file("recordings")).isEmpty)
    }

    @Test func `nothing is written through a link`() throws {
        try Directory.create(folder.file("recordings"))
        try folder.write("mine", to: "elsewhere")
        try FileName.symlink(folder.file("elsewhere"), at: folder.file("recordings/drive.json.100000.part"))
        #expect(try send().status == 500)
        #expect(folder.text("elsewhere") == "mine")
    }

    @Test func `a digest that is not one is refused`() throws {
        for text in ["sha-256=abc", "sha-512=:AAAA:", "sha-256=:AAAA:", "x"] {
            var request = ServerRequest("PUT", try #require(ServerTarget("/recordings/drive.json")), body: recording)
            request.headers.append(("repr-digest", text))
            #expect(uploads.answer(request).status == 400, "\(text)")
        }
    }
}
