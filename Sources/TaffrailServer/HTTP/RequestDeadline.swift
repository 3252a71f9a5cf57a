#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request takes too long, from its head to the end of its response, because the client sends
/// slowly or does not read. In a stream of events, the limit applies to each part.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?
    /// The number of requests without a complete response.
    private var open = 0
    /// Whether the answer in progress is a stream of events.
    private var isStream = false
    /// The number of its parts that have not been sent yet.
    private var unsent = 0

    init(_ limit: Duration) { self.limit = TimeAmount(limit) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            open += 1
            if timer == nil, !isStream { start(context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let end: (RequestDeadline, ChannelHandlerContext) -> Void
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isStream = head.headerFields[.contentType] == ServerStream.mediaType
            if isStream { stop() }
            return context.write(data, promise: promise)
        case .body:
            guard isStream else { return context.write(data, promise: promise) }
            unsent += 1
            if timer == nil { start(context) }
            end = { $0.partSent($1) }
        case .end:
            isStream = false
            end = { $0.answerSent($1) }
        }
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((handler: self, context: context, end: end), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in bound.value.end(bound.value.handler, bound.value.context) }
        context.write(data, promise: written)
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func partSent(_ context: ChannelHandlerContext) {
        unsent -= 1
        stop()
        if unsent > 0 { start(context) }
    }

    private func answerSent(_ context: ChannelHandlerContext) {
        open -= 1
        stop()
        if open > 0 { start(context) }
    }

    private func start(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: limit) { bound.value.close(promise: nil) }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}
#endif
