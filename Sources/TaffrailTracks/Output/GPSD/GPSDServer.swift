package import Taffrail
package import TaffrailGeo
package import TaffrailText
internal import TaffrailTransport

/// A server with the protocol of gpsd 3.22, through which clients of gpsd watch a replay or another receiver.
///
/// Clients that watch (`?WATCH={"enable":true,"json":true}`, or `nmea` or `raw`) receive every position, at once and
/// without losses; `?VERSION`, `?DEVICES`, `?DEVICE`, `?WATCH` and `?POLL` are answered as gpsd does. Each receiver is
/// a device with its name in events.
package final class GPSDServer: GeoOutput {
    private let server: StreamServer
    private let sessions: GPSDSessions
    private let sentences = NMEAWriter()
    /// The receivers by the names of the devices.
    private let receivers = Locked<[String: SentenceState]>([:])
    package let name: String
    /// The port, even if 0 was requested.
    package var port: Int { server.port }

    /// The name of the device for positions that name no receiver.
    package static let unnamedDevice = "taffrail"

    /// Returns the name of the device for a receiver: its own, if it has one.
    static func device(_ receiver: String?) -> String {
        receiver.flatMap { $0.isEmpty ? nil : $0 } ?? unnamedDevice
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - port: gpsd's own port is 2947; 0 selects a free one.
    ///   - device: The device that clients see from the start; `nil`: none. Other devices appear with their first
    ///     events, as in gpsd when they are plugged in.
    package init(
        host: String, port: Int, device: String? = GPSDServer.unnamedDevice
    ) throws(SystemError) {
        let sessions = GPSDSessions(GPSDWriter(), device: device)
        self.sessions = sessions
        server = try StreamServer(
            host: host, port: port,
            handlers: StreamServer.Handlers(
                joined: { _ in sessions.writer.version() }, line: { sessions.answer($1, to: $0) },
                left: { sessions.remove($0) }, isWhole: { Self.isWholeRequest($0) }))
        name = "gpsd://\(HostAndPort.text(host, server.port))"
    }

    /// Returns whether unterminated input is a request: a complete object. gpsd treats a received packet as complete,
    /// and some clients terminate nothing.
    private static func isWholeRequest(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: "?WATCH=".utf8) || bytes.starts(with: "?DEVICE=".utf8),
            let start = bytes.firstIndex(of: UInt8(ascii: "{"))
        else { return false }
        return (try? GPSDObject(Array(bytes[start...]))) != nil
    }

    package var listeners: Int? { sessions.count }
    package var isDrained: Bool { server.isDrained }
    package func prepare(for first: Timestamp, _ interrupt: Interrupt) {}

    package func send(_ event: RecordedEvent) {
        switch event.event {
        case .location(let location): send(location, at: event.timestamp)
        case .error(let error):
            guard error.replayJump == nil else { return }
            // An error without a receiver applies to all of them.
            for device in error.device.map({ [Self.device($0)] }) ?? sessions.names {
                send(error, of: device, at: event.timestamp)
            }
        case .log: break
        }
    }

    private func send(_ error: GeoError, of device: String, at time: Timestamp) {
        announce(device)
        var tpv: [UInt8] = []
        var nmea: [UInt8] = []
        let fixTime = receivers.withLock {
            $0[device, default: SentenceState()].append(error, at: time, with: sentences, to: &nmea)
        }
        sessions.writer.appendNoFix(device, at: fixTime, to: &tpv)
        deliver(device, tpv: tpv, sky: nil, nmea: nmea)
    }

    /// Adds a device, and notifies clients of a new one.
    private func announce(_ device: String) {
        guard sessions.add(device) else { return }
        server.send(sessions.writer.device(device)) { sessions.policy(of: $0).wantsReports(of: device) }
    }

    private func send(_ location: Location, at time: Timestamp) {
        let device = Self.device(location.extra.device)
        announce(device)
        var tpv: [UInt8] = []
        var nmea: [UInt8] = []
        let sky = sessions.writer.sky(location, device)
        sessions.writer.append(location, device, to: &tpv)
        receivers.withLock {
            $0[device, default: SentenceState()].append(location, at: time, with: sentences, to: &nmea)
        }
        deliver(device, tpv: tpv, sky: sky, nmea: nmea)
    }

    /// Sends a device's report to the subscribed clients; sentences first, as gpsd does.
    private func deliver(_ device: String, tpv: [UInt8], sky: [UInt8]?, nmea: [UInt8]) {
        sessions.setLatest(device, tpv: tpv, sky: sky)
        server.send(nmea) { sessions.policy(of: $0).wantsSentences(of: device) }
        // Sent separately, and first: some clients read only the first line of the data that has arrived.
        server.send(tpv) { sessions.policy(of: $0).wantsReports(of: device) }
        if let sky { server.send(sky) { sessions.policy(of: $0).wantsReports(of: device) } }
    }

    package func close() { server.close() }
}
