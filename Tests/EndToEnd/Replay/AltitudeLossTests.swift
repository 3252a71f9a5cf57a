import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailTracks

/// Sentences of positions that lose their altitude: gpsd assumes three dimensions for one more epoch, unless an empty
/// GLL precedes the position.
@Suite(.mayBlock) struct AltitudeLossTests {
    private enum Fix { case lost, flat, high, ellipsoidal }

    /// A position of a receiver, or a lost fix; without a name, that of all receivers.
    private struct Epoch {
        let second: Int
        let device: String?
        let fix: Fix
        /// Whether the receiver's position before had an altitude, and this one has none.
        let losesAltitude: Bool

        init(_ second: Int, _ device: String?, _ fix: Fix, losesAltitude: Bool = false) {
            self.second = second
            self.device = device
            self.fix = fix
            self.losesAltitude = losesAltitude
        }

        var event: RecordedEvent {
            let time = Drive.start + .seconds(second)
            var location = Location(latitude: 55.5, longitude: 12.25, timestamp: time)
            location.extra.device = device
            if fix == .high { location.altitude = 12.5 }
            if fix == .ellipsoidal { location.ellipsoidalAltitude = 53.75 }
            let event: GeoEvent =
                fix == .lost ? .error(.locationUnknown("no fix", device: device)) : .location(location)
            return RecordedEvent(timestamp: time, relativeTime: Double(second), event: event)
        }
    }

    /// Two receivers in turn: what one has does not count for the other one.
    private static let epochs = [
        Epoch(0, "/dev/a", .high), Epoch(0, "/dev/b", .flat),
        Epoch(1, "/dev/a", .flat, losesAltitude: true), Epoch(1, "/dev/b", .flat),
        Epoch(2, "/dev/a", .flat), Epoch(2, "/dev/b", .ellipsoidal),
        Epoch(3, "/dev/a", .ellipsoidal), Epoch(3, "/dev/b", .high),
        Epoch(4, "/dev/a", .lost), Epoch(4, "/dev/b", .flat, losesAltitude: true),
        Epoch(5, "/dev/a", .flat), Epoch(5, "/dev/b", .high),
        Epoch(6, "/dev/a", .high), Epoch(7, nil, .lost),
        Epoch(8, "/dev/a", .flat), Epoch(8, "/dev/b", .flat),
        Epoch(9, "/dev/a", .high), Epoch(9, "/dev/b", .high),
        Epoch(10, "/dev/a", .flat, losesAltitude: true),
    ]

    /// Those of the first receiver.
    private static let firstEpochs = epochs.filter { $0.device != "/dev/b" }

    /// The sentences of epochs, one by one.
    private static func sentences(_ epochs: [Epoch]) -> [String] {
        let writer = NMEAWriter()
        var bytes: [UInt8] = []
        for epoch in epochs {
            let event = epoch.event
            if let location = event.event.location {
                writer.append(location, losesAltitude: epoch.losesAltitude, to: &bytes)
            } else {
                writer.appendNoFix(at: event.timestamp, to: &bytes)
            }
        }
        return lines(bytes)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    /// The empty ones among sentences, without their checksums.
    private static func empty(_ sentences: [String]) -> [String] {
        sentences.filter { $0.hasPrefix("$GPGLL,") }.map { String($0.dropLast(3)) }
    }

    @Test(arguments: ["\"nmea\":true", "\"raw\":1", "\"raw\":2"])
    func `watchers of gpsd get the empty sentence where the altitude of a receiver ends, and nowhere else`(
        member: String
    ) async throws {
        // A lost fix of no receiver in particular is one of each.
        let expected = Self.sentences(Self.epochs.flatMap { $0.device == nil ? [$0, $0] : [$0] })
        let seen = try await blocking { () -> [String] in
            let server = try GPSDServer(host: "127.0.0.1", port: 0, device: "/dev/a")
            defer { server.close() }
            let client = try GPSDAnswersTests.Client(port: server.port)
            _ = client.lines { $0.count == 1 }
            _ = client.ask("?WATCH={\"enable\":true,\(member)};", answers: 2)
            for epoch in Self.epochs { server.send(epoch.event) }
            return client.lines { $0.count >= expected.count }
        }
        #expect(seen == expected)
        #expect(
            Self.empty(seen) == [
                "$GPGLL,,,,,143001.000,V,N", "$GPGLL,,,,,143004.000,V,N", "$GPGLL,,,,,143010.000,V,N",
            ])
    }

    @Test func `a stream of sentences has it where the altitude of its receiver ends, and nowhere else`() throws {
        let line = KeptLine()
        let output = NMEAOutput(line)
        for epoch in Self.epochs { try output.send(epoch.event) }
        let sent = Self.lines(line.sent.withLock { $0 })
        #expect(sent == Self.sentences(Self.firstEpochs))
        #expect(Self.empty(sent) == ["$GPGLL,,,,,143001.000,V,N", "$GPGLL,,,,,143010.000,V,N"])
    }

    @Test func `an exported track has it where its altitude ends, and nowhere else`() throws {
        let output = TextOutput()
        let writer = TrackFormat.nmea.writer(output)
        try writer.begin(nil, name: "")
        for epoch in Self.firstEpochs { try writer.append(epoch.event) }
        let written = Self.lines(output.bytes)
        #expect(Self.empty(written) == ["$GPGLL,,,,,143001.000,V,N", "$GPGLL,,,,,143010.000,V,N"])
        // It begins an epoch.
        for index in written.indices where written[index].hasPrefix("$GPGLL,") {
            #expect(index > 0 && written[index - 1].hasPrefix("$GPRMC,"))
        }
    }
}
