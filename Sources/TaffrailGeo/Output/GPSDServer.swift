internal import Synchronization
package import Taffrail

/// A server that speaks gpsd's protocol, so that gpsd's clients see what is replayed, or what another receiver says.
///
/// It knows one device. Clients that watch (`?WATCH={"enable":true,"json":true}`, or `nmea` or `raw`) are sent every
/// position, at once and without a loss; `?VERSION`, `?DEVICES`, `?WATCH` and `?POLL` are answered.
package final class GPSDServer: GeoOutput {
    private let server: StreamServer
    private let watchers: GPSDWatchers
    private let sentences = NMEAWriter()
    package let name: String
    /// The port, also where 0 was asked for.
    package var port: Int { server.port }

    /// Listens.
    ///
    /// - Parameter port: gpsd's own is 2947; 0 takes a free one.
    package init(host: String, port: Int, device: String = "taffrail") throws(SystemFailure) {
        let watchers = GPSDWatchers(GPSDWriter(device: device))
        self.watchers = watchers
        server = try StreamServer(
            host: host, port: port,
            handlers: StreamServer.Handlers(
                joined: { _ in watchers.writer.version() }, line: { watchers.answer($1, to: $0) },
                left: { watchers.remove($0) }))
        name = "gpsd://\(host.contains(":") ? "[\(host)]" : host):\(server.port)"
    }

    package var listeners: Int? { watchers.count }
    package var isDrained: Bool { server.isDrained }
    package func prepare(for first: Timestamp, _ interrupt: Interrupt) {}

    package func send(_ event: RecordedEvent) {
        var reports: [UInt8] = []
        var nmea: [UInt8] = []
        switch event.event {
        case .location(let location):
            watchers.writer.append(location, to: &reports)
            sentences.append(location, to: &nmea)
        case .error(let error):
            guard error.replayJump == nil else { return }
            watchers.writer.appendNoFix(at: event.timestamp, to: &reports)
            sentences.appendNoFix(at: event.timestamp, to: &nmea)
        case .log: return
        }
        watchers.setLatest(reports, time: event.timestamp)
        server.send(reports) { watchers.wants($0, .reports) }
        server.send(nmea) { watchers.wants($0, .sentences) }
    }

    package func close() { server.close() }
}

/// Who watches what at a ``GPSDServer``.
final class GPSDWatchers: Sendable {
    struct Kinds: OptionSet {
        let rawValue: UInt8
        static let reports = Kinds(rawValue: 1)
        static let sentences = Kinds(rawValue: 2)
    }

    private struct State {
        var kinds: [StreamServer.ClientID: Kinds] = [:]
        var latest: [UInt8] = []
        var time = Timestamp(nanoseconds: 0)
    }

    let writer: GPSDWriter
    private let state = Mutex(State())

    init(_ writer: GPSDWriter) { self.writer = writer }

    var count: Int { state.withLock { $0.kinds.count { !$0.value.isEmpty } } }

    func wants(_ client: StreamServer.ClientID, _ kind: Kinds) -> Bool {
        state.withLock { $0.kinds[client]?.contains(kind) ?? false }
    }

    func remove(_ client: StreamServer.ClientID) { state.withLock { $0.kinds[client] = nil } }

    func setLatest(_ reports: [UInt8], time: Timestamp) {
        state.withLock { state in
            state.latest = reports
            state.time = time
        }
    }

    /// Obeys a request, and says what there is to say.
    func answer(_ line: [UInt8], to client: StreamServer.ClientID) -> [UInt8] {
        var request = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        if request.hasSuffix(";") { request.removeLast() }
        let (time, latest) = state.withLock { ($0.time, $0.latest) }
        switch request {
        case "": return []
        case "?VERSION": return writer.version()
        case "?DEVICES": return writer.devices(time)
        case "?POLL": return writer.poll(latest, time: time)
        case "?WATCH": return writer.devices(time) + writer.watch(kinds(of: client))
        case _ where request.hasPrefix("?WATCH="):
            guard let kinds = Self.kinds(Array(request.utf8.dropFirst(7)), now: kinds(of: client)) else {
                return writer.error("Invalid WATCH: \(request)")
            }
            state.withLock { $0.kinds[client] = kinds }
            return writer.devices(time) + writer.watch(kinds)
        case _ where request.hasPrefix("?DEVICE"): return writer.devices(time)
        default: return writer.error("Unrecognized request '\(request)'")
        }
    }

    private func kinds(of client: StreamServer.ClientID) -> Kinds { state.withLock { $0.kinds[client] ?? [] } }

    /// What a client wants to watch; `nil` for what is no such wish.
    private static func kinds(_ json: [UInt8], now: Kinds) -> Kinds? {
        guard let object = try? GPSDObject(json) else { return nil }
        if object.number("enable") == 0 { return [] }
        var kinds = now
        if let isWanted = object.number("json") {
            if isWanted > 0 { kinds.insert(.reports) } else { kinds.remove(.reports) }
        }
        let sentences = max(object.number("nmea") ?? 0, object.number("raw") ?? 0)
        if sentences > 0 { kinds.insert(.sentences) }
        // Whoever says no more than that he watches is sent reports.
        return kinds.isEmpty && object.number("json") == nil ? .reports : kinds
    }
}
