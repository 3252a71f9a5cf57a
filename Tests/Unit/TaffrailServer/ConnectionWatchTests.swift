#if Server
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TaffrailServer

/// Whether a client still waits for its answer, by the clock of an event loop that the test controls.
@Suite struct ConnectionWatchTests {
    private let connections = OpenConnections()

    /// A connection on which a request has arrived.
    private func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionWatch(connections))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/api/records")
        try channel.writeInbound(HTTPRequestPart.head(request))
        return channel
    }

    @Test func `a client that closes its sending side with its request waits for the answer`() throws {
        let channel = try connection()
        let client = connections[channel]
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(50))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!client.isClosed)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(!client.isClosed)
        _ = try channel.finish()
        #expect(client.isClosed)
    }

    @Test func `a client that closes its sending side later has disconnected`() throws {
        let channel = try connection()
        let client = connections[channel]
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!client.isClosed)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(client.isClosed)
        _ = try channel.finish()
    }
}
#endif
