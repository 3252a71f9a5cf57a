#if Server && Store
import Foundation
import TaffrailQuery
import TaffrailStore
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReceiver

/// `GET /api/…`, from stores in files.
@Suite(.mayBlock) struct ReceiverQueryTests {
    private static func receiver(_ folder: TemporaryDirectory, tokens: String? = nil) async throws -> LiveReceiver {
        var options = ReceiverOptions()
        options.logStore = folder.file("logs.sqlite")
        options.locationStore = folder.file("track.sqlite")
        if let tokens {
            try folder.write(tokens, to: "tokens")
            options.tokenFile = folder.file("tokens")
        }
        return try await LiveReceiver(options)
    }

    private static func save(_ count: Int, in folder: TemporaryDirectory) throws {
        try LogStore.at(folder.file("logs.sqlite")).save(
            (0..<count).map { index in
                StoredRecord(
                    time: Timestamp(nanoseconds: RecordPool.start + Int64(index)), level: .warning,
                    message: "line \(index)", device: "ferry", run: "a run", sequence: UInt64(index))
            })
    }

    @Test func `queries are answered from the store as soon as there is one`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder)
        let none = try await receiver.send("GET", "/api/records")
        #expect(none.status == 404 && none["content-type"] == "application/problem+json")
        #expect(none.body.contains("no store yet") && !none.body.contains("logs.sqlite"))
        try Self.save(3, in: folder)
        let found = try await receiver.send("GET", "/api/records?q=level%3E%3Dwarning%20line&limit=2")
        #expect(
            found.status == 200 && found.body.contains("\"message\":\"line 2\"") && found.body.contains("\"next\":\""))
        #expect(found["cache-control"] == "no-store" && found["x-content-type-options"] == "nosniff")
        let export = try await receiver.send("GET", "/api/export?format=csv&limit=2")
        #expect(export["content-type"] == "text/csv; charset=utf-8" && export["taffrail-next"]?.count == 16)
        #expect(export.body.split(separator: "\n").count == 3)
        #expect(try await receiver.send("HEAD", "/api/devices").status == 200)
        #expect(try await receiver.send("POST", "/api/records").status == 405)
        #expect(try await receiver.send("GET", "/api/records?q=level%3A").status == 400)
        for path in ["/api", "/api/record", "/api/records/1"] {
            #expect(try await receiver.send("GET", path).status == 404, "\(path)")
        }
        try await receiver.stop()
    }

    @Test func `queries need the role read`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await Self.receiver(folder, tokens: "writer ingest\nreader read\n")
        try Self.save(1, in: folder)
        for (token, status) in [(nil, 401), ("writer", 403), ("unknown", 401), ("reader", 200)] {
            let headers = token.map { ["Authorization: Bearer \($0)"] } ?? []
            for path in ["/api/records", "/api/openapi.json", "/api/values?field=level"] {
                #expect(try await receiver.send("GET", path, headers).status == status, "\(token ?? "-") \(path)")
            }
        }
        try await receiver.stop()
    }

    @Test func `without a store nothing is queried, and options need each other`() async throws {
        let receiver = try await LiveReceiver()
        #expect(try await receiver.send("GET", "/api/records").status == 404)
        try await receiver.stop()
        for wrong in [#"{"log_store": ""}"#, #"{"location_store": "track.sqlite"}"#] {
            #expect(throws: DecodingError.self, "\(wrong)") {
                try JSONDecoder().decode(ReceiverOptions.self, from: Data(wrong.utf8))
            }
        }
    }

    @Test func `records of a batch without runs have its key and their numbers`() async throws {
        let receiver = try await LiveReceiver()
        let body = "{\"message\":\"one\"}\n{\"message\":\"two\"}"
        #expect(try await receiver.post("/logs", body, "Idempotency-Key: k7").status == 200)
        let attributes = try await receiver.records().compactMap { $0["attributes"] as? [String: Any] }
        #expect(attributes.compactMap { $0["taffrail.origin.seq"] as? Int } == [1, 2])
        #expect(attributes.allSatisfy { $0["taffrail.origin.batch"] as? String == "/logs k7" })
        try await receiver.stop()
    }
}
#endif
