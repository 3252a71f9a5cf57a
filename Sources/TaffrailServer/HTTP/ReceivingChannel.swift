#if Server
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1
internal import NIOSSL

/// A connection, with or without TLS, that also serves clients of HTTP/1.0.
struct ReceivingChannel: ServerChildChannel {
    let base: HTTP1Channel
    /// The certificate; `nil`: no TLS.
    let certificate: CertificateFiles?

    func setup(channel: any Channel, logger: Logging.Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let pipeline = channel.pipeline.syncOperations
        do {
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // The handler is before the codec, which discards the HTTP version.
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(ClosingRequests(), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logging.Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
#endif
