#if Server
internal import NIOCore
internal import NIOHTTP1

/// Closes the connection after requests with any form of `Connection: close`, and after requests of HTTP/1.0, whose
/// clients may read until the connection is closed.
final class ClosingRequests: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The pending requests: their versions, and whether each is the last one of the connection.
    private var open: [(version: HTTPVersion, isLast: Bool)] = []

    private static func isOld(_ version: HTTPVersion) -> Bool { (version.major, version.minor) < (1, 1) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let options = head.headers[canonicalForm: "connection"]
        let isLast = Self.isOld(head.version) || options.contains { $0.lowercased() == "close" }
        // The only form that the server recognizes.
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        open.append((head.version, isLast))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200, !open.isEmpty else {
            return context.write(data, promise: promise)
        }
        let (version, isLast) = open.removeFirst()
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        // A body without a length then ends when the connection is closed.
        if Self.isOld(version) { head.version = .http1_0 }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
#endif
