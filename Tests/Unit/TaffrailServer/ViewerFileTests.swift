import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer
@testable import TaffrailText

@Suite struct ViewerFileTests {
    private static let viewer = Viewer(libraries: "/nonexistent")

    private static func get(
        _ path: String, _ headers: [(name: String, value: String)] = [], viewer: Viewer = viewer
    ) async throws -> ServerAnswer? {
        let request = ServerRequest("GET", try #require(ServerTarget(path)), headers: headers)
        return await viewer.route(request)?.answer(request)
    }

    @Test func `every file of the folder is part of the program, as it is`() async throws {
        let folder = Repository.root.appending(path: "Sources/CTaffrailViewer/pages")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(ViewerPages.all.names == Set(names))
        for name in names {
            let answer = try #require(try await Self.get("/viewer/\(name)"))
            let content = try Data(contentsOf: folder.appending(path: name))
            #expect(answer.status == 200 && Data(answer.body) == content, "\(name)")
        }
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/viewer/main.js", "text/javascript; charset=utf-8"),
        ("/viewer/theme.css", "text/css; charset=utf-8"), ("/viewer/icon.svg", "image/svg+xml"),
        ("/viewer/world.json", "application/json"),
    ]) func `a page has its type, and may load only what this server has`(path: String, type: String) async throws {
        let answer = try #require(try await Self.get(path))
        #expect(answer.header("content-type") == type && answer.header("x-content-type-options") == "nosniff")
        let policy = try #require(answer.header("content-security-policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"))
        #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
    }

    @Test func `a browser that has a page does not get it again`() async throws {
        let first = try #require(try await Self.get("/viewer/main.js"))
        let tag = try #require(first.header("etag"))
        for known in [tag, "W/" + tag, "\"other\", \(tag)", "*"] {
            let again = try #require(try await Self.get("/viewer/main.js", [("if-none-match", known)]))
            #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag, "\(known)")
        }
        #expect(try await Self.get("/viewer/main.js", [("if-none-match", "\"other\"")])?.status == 200)
    }

    @Test func `a page is compressed for those who accept it`() async throws {
        let plain = try #require(try await Self.get("/viewer/world.json"))
        let answer = try #require(try await Self.get("/viewer/world.json", [("accept-encoding", "br, gzip;q=0.8")]))
        #expect(answer.header("content-encoding") == "gzip" && answer.header("vary") == "accept-encoding")
        #expect(answer.header("etag") != plain.header("etag"))
        #expect(try BodyDecoding.decoded(answer.body, "gzip", limit: 1 << 20) == plain.body)
        let least = try #require(try await Self.get("/viewer/world.json", [("accept-encoding", "gzip;q=0.001")]))
        #expect(least.header("content-encoding") == "gzip")
        for refused in ["identity", "gzip;q=0", "gzip; q=0.000", "gzip;q=0.", "gzip;q=0.0", "gzip;Q=0.00", "x-gzip2"] {
            let answer = try #require(try await Self.get("/viewer/world.json", [("accept-encoding", refused)]))
            #expect(answer.header("content-encoding") == nil, "\(refused)")
        }
        // All but map data and libraries.
        var size = 0
        for name in ViewerPages.all.names where name != "world.json" {
            size += try await Self.get("/viewer/\(name)", [("accept-encoding", "gzip")])?.body.count ?? 0
        }
        #expect(size <= 300 << 10, "\(size) bytes")
    }

    @Test(arguments: [
        "/viewer", "/viewer/nothing.js", "/viewer/pages/main.js", "/index.html", "/lib", "/lib/leaflet/package.json",
        "/lib/leaflet/leaflet.js.map", "/lib/jquery/jquery.js", "/api/records", "/logs",
    ]) func `what is not a page of it is left to others`(path: String) async throws {
        #expect(try await Self.get(path) == nil)
    }

    @Test func `a library comes from the package manager's directory`() async throws {
        let folder = TemporaryDirectory()
        let viewer = Viewer(libraries: folder.path)
        let path = "/lib/leaflet/leaflet.css"
        let missing = try #require(try await Self.get(path, viewer: viewer))
        #expect(missing.status == 404)
        #expect(String(decoding: missing.body, as: UTF8.self).contains("\(folder.path)/leaflet/leaflet.css"))
        try FileManager.default.createDirectory(
            atPath: folder.file("leaflet"), withIntermediateDirectories: true)
        try Data("a {}".utf8).write(to: URL(filePath: folder.file("leaflet/leaflet.css")))
        let answer = try #require(try await Self.get(path, viewer: viewer))
        #expect(answer.status == 200 && answer.body == Array("a {}".utf8))
        #expect(answer.header("content-type") == "text/css; charset=utf-8")
    }
}
