internal import Taffrail
internal import TaffrailGeo
internal import TaffrailTransport

/// The clients of a ``GPSDServer``, their subscriptions, and the answers to their requests. Any thread may call.
final class GPSDSessions: Sendable {
    /// A receiver, by its name for clients.
    struct Device: Sendable {
        var name: String
        /// Its latest reports, as JSON objects.
        var tpv: [UInt8] = []
        var sky: [UInt8] = []
    }

    private struct State {
        var policies: [StreamServer.ClientID: GPSDPolicy] = [:]
        /// In the order of appearance.
        private(set) var devices: [Device] = []
        private var offsets: [String: Int] = [:]

        /// Returns whether the device is new.
        mutating func add(_ device: String) -> Bool {
            guard offsets[device] == nil else { return false }
            offsets[device] = devices.count
            devices.append(Device(name: device))
            return true
        }

        mutating func setLatest(_ device: String, tpv: [UInt8], sky: [UInt8]?) {
            guard let offset = offsets[device] else { return }
            devices[offset].tpv = tpv
            if let sky { devices[offset].sky = sky }
        }
    }

    let writer: GPSDWriter
    private let state: Locked<State>

    /// - Parameter device: The device that exists from the start; `nil`: none.
    init(_ writer: GPSDWriter, device: String?) {
        self.writer = writer
        var state = State()
        if let device { _ = state.add(device) }
        self.state = Locked(state)
    }

    /// The number of watching clients.
    var count: Int { state.withLock { $0.policies.count { $0.value.isWatcher } } }

    func policy(of client: StreamServer.ClientID) -> GPSDPolicy {
        state.withLock { $0.policies[client] ?? GPSDPolicy() }
    }

    func remove(_ client: StreamServer.ClientID) { state.withLock { $0.policies[client] = nil } }

    /// The names of the devices, in the order of appearance.
    var names: [String] { state.withLock { $0.devices.map(\.name) } }

    /// Adds a device unless it exists.
    ///
    /// - Returns: Whether the device is new, so that clients must be notified.
    func add(_ device: String) -> Bool { state.withLock { $0.add(device) } }

    /// Stores the latest report of a device, for `?POLL`. Without a SKY, the previous SKY remains valid.
    func setLatest(_ device: String, tpv: [UInt8], sky: [UInt8]?) {
        state.withLock { $0.setLatest(device, tpv: tpv, sky: sky) }
    }

    /// Handles a request, and returns the answer of gpsd 3.22.
    func answer(_ line: [UInt8], to client: StreamServer.ClientID) -> [UInt8] {
        // Ignore input that is not a request.
        guard line.first == UInt8(ascii: "?") else { return [] }
        switch String(decoding: line, as: UTF8.self) {
        case "?VERSION;": return writer.version()
        case "?DEVICES;": return writer.devices(names)
        case "?POLL;": return poll(client)
        case "?WATCH;": return watch(client)
        case "?DEVICE;": return names.flatMap { writer.device($0) }
        case let text where text.hasPrefix("?WATCH="): return watch(client, line.dropFirst(7))
        case let text where text.hasPrefix("?DEVICE="): return device(line.dropFirst(8))
        case let text: return writer.error("Unrecognized request '\(text)\n'")
        }
    }

    private func watch(_ client: StreamServer.ClientID) -> [UInt8] {
        writer.devices(names) + writer.watch(policy(of: client))
    }

    private func watch(_ client: StreamServer.ClientID, _ request: ArraySlice<UInt8>) -> [UInt8] {
        var policy = policy(of: client)
        var problem: [UInt8] = []
        do throws(GPSDPolicy.Failure) { try policy.read(Self.object(request)) } catch {
            problem = writer.error("Invalid WATCH: \(error.reason)")
        }
        state.withLock { $0.policies[client] = policy }
        if let device = policy.device, !names.contains(device) {
            return writer.error("No such device as \(device)")
        }
        return problem + watch(client)
    }

    /// Settings for a receiver are ignored, because the server has none.
    private func device(_ request: ArraySlice<UInt8>) -> [UInt8] {
        let path = (try? GPSDObject(Array(Self.object(request))))?.text("path")
        guard let path, !path.isEmpty else { return names.flatMap { writer.device($0) } }
        return names.contains(path) ? writer.device(path) : writer.error("Can't open \(path).")
    }

    /// Returns a request's object, without spaces and the semicolon after it.
    private static func object(_ request: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var object = Array(request).trimmed
        if object.last == UInt8(ascii: ";") { object.removeLast() }
        return object
    }

    private func poll(_ client: StreamServer.ClientID) -> [UInt8] {
        let policy = policy(of: client)
        let devices = state.withLock { $0.devices.filter { policy.isSubscribed(to: $0.name) } }
        return writer.poll(devices)
    }
}
