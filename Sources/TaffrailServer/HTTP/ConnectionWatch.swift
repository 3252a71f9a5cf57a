#if Server
internal import NIOCore

/// Tracks when a connection opens and closes.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let connections: OpenConnections
    /// The time at which the last part of a request was read.
    private var lastRead: NIODeadline?

    /// How long after its request a client that waits for the answer may close its sending side, as `nc -N` does. The
    /// closed connection of a client that has left looks the same: a browser that cancels a request does so later.
    private static let halfCloseTime = TimeAmount.milliseconds(100)

    init(_ connections: OpenConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        // The channel has no address before it is active.
        if context.channel.isActive { connections.add(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.add(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = context.eventLoop.now
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { connections.remove(context.channel) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            let isHalfClosed = lastRead.map { context.eventLoop.now - $0 <= Self.halfCloseTime } ?? false
            if !isHalfClosed { connections.closed(context.channel) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.remove(context.channel)
        context.fireChannelInactive()
    }
}
#endif
