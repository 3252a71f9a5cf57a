package import Taffrail
internal import TaffrailTransport

/// Sends sentences to all connected clients.
package final class NMEAServerLine: NMEALine {
    private let server: StreamServer
    package let name: String
    /// The port, even if 0 was requested.
    package var port: Int { server.port }
    package let leadIn = Duration.seconds(1)

    package init(host: String, port: Int) throws(SystemError) {
        server = try StreamServer(host: host, port: port)
        name = "\(StreamAddress.tcp(host: host, port: server.port))"
    }

    package var listeners: Int? { server.clientCount }
    package var isDrained: Bool { server.isDrained }
    package func send(_ bytes: [UInt8]) { server.send(bytes) }
    package func close() { server.close() }
}
