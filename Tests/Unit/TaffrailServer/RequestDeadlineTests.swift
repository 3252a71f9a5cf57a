#if Server
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TaffrailServer

/// How long a request and its answer may take, by the clock of an event loop that the test controls.
@Suite struct RequestDeadlineTests {
    /// A connection on which a request has arrived.
    private static func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline(.seconds(60)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/stream")
        try channel.writeInbound(HTTPRequestPart.head(request))
        return channel
    }

    private static func head(_ type: String) -> HTTPResponsePart {
        .head(HTTPResponse(status: .ok, headerFields: [.contentType: type]))
    }

    private static let part = HTTPResponsePart.body(ByteBuffer(string: "data: {}\n\n"))

    @Test func `a request without an answer is closed after the limit`() throws {
        let channel = try Self.connection()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a stream stays open for as long as its client reads`() throws {
        let channel = try Self.connection()
        try channel.writeOutbound(Self.head("text/event-stream"))
        for _ in 0..<10 {
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            try channel.writeOutbound(Self.part)
        }
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        _ = try channel.finish()
    }

    @Test func `a stream whose client does not read is closed after the limit`() throws {
        let channel = try Self.connection()
        try channel.writeOutbound(Self.head("text/event-stream"))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        // Without a flush it is not on its way.
        channel.write(Self.part, promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        channel.write(Self.part, promise: nil)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `any other answer has to be read within the limit of its request`() throws {
        let channel = try Self.connection()
        try channel.writeOutbound(Self.head("application/json"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(50))
        try channel.writeOutbound(Self.part)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
    }
}
#endif
