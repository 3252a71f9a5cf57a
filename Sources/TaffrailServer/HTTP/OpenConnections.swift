#if Server
internal import NIOCore
internal import Taffrail

/// The open connections of a server.
final class OpenConnections: Sendable {
    private let all = Locked<[ObjectIdentifier: ClientConnection]>([:])

    /// The connection of a channel.
    subscript(channel: any Channel) -> ClientConnection {
        all.withLock { all in
            if let connection = all[ObjectIdentifier(channel)] { return connection }
            // The channel is already closed.
            let connection = ClientConnection(address: "")
            connection.close()
            return connection
        }
    }

    /// Adds the connection of a channel.
    func add(_ channel: any Channel) {
        let connection = ClientConnection(address: channel.remoteAddress?.ipAddress ?? "")
        all.withLock { $0[ObjectIdentifier(channel)] = connection }
    }

    /// Records that the client has disconnected.
    func closed(_ channel: any Channel) { all.withLock { $0[ObjectIdentifier(channel)] }?.close() }

    /// Removes the connection of a channel.
    func remove(_ channel: any Channel) { all.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.close() }
}
#endif
