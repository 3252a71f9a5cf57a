#if Server
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Taffrail

/// An HTTP/1.1 server.
package struct HTTPServer: Sendable {
    /// How long requests may still take when the server is shutting down.
    private static let drainTime = Duration.milliseconds(500)

    private let settings: ServerSettings
    private let application: any ServerApplication
    private let connections = OpenConnections()
    private let exchange: HTTPExchange
    private let whenListening: @Sendable (Int) -> Void

    /// Creates a server, which listens when it runs.
    ///
    /// - Parameter whenListening: Called with the port.
    package init(
        _ settings: ServerSettings, _ application: any ServerApplication,
        whenListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.settings = settings
        self.application = application
        exchange = HTTPExchange(application, MemoryBudget(settings.memory), connections)
        self.whenListening = whenListening
    }

    /// The limits of a request's head: the target can contain the longest query in ASCII, percent-encoded.
    static let head = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)

    /// Serves until the task is cancelled; then closes idle connections and finishes requests, for a limited time.
    ///
    /// - Throws: An error if it cannot listen.
    package func run() async throws {
        let limit = settings.requestTime
        let (exchange, open) = (exchange, connections)
        let plain = HTTP1Channel(
            responder: { request, writer, channel in try await exchange.answer(request, writer, channel) },
            configuration: .init(
                additionalChannelHandlers: [ConnectionWatch(open), RequestDeadline(limit)],
                idleTimeout: TimeAmount(settings.idleTime),
                httpDecoderConfiguration: Self.head))
        let certificate = try settings.tls.map { try CertificateFiles(certificate: $0.certificate, key: $0.key) }
        // Each connection uses a file descriptor; the log and the rest of the program need others.
        let reserve = 128
        let files = OpenFileLimit.raise(to: settings.connections + reserve)
        let connections = max(1, min(settings.connections, files - reserve))
        if connections < settings.connections {
            Diagnostics.report(
                "the receiver accepts only \(connections) of \(settings.connections) connections at a time: this "
                    + "process is limited to \(files) open files")
        }
        try await run(ReceivingChannel(base: plain, certificate: certificate), connections: connections)
    }

    private func run(_ child: some ServerChildChannel, connections: Int) async throws {
        // Responses and thrown errors report everything that the server would log.
        let logger = Logging.Logger(label: "taffrail.server") { _ in SwiftLogNoOpLogHandler() }
        let whenListening = whenListening
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let server = Server(
            childChannelSetup: child,
            configuration: ServerConfiguration(
                address: .hostname(settings.host, port: settings.port), backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(connections, logger: logger)),
            onServerRunning: {
                whenListening($0.localAddress?.port ?? 0)
                starting.finish()
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        // Not a child task, whose immediate cancellation would close connections in the middle of requests.
        let running = Task {
            defer { starting.finish() }
            try await server.run()
        }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            application.end()
            Task {
                // The server cannot be shut down while it is starting.
                for await _ in started {}
                let deadline = Task {
                    try await Task.sleep(for: Self.drainTime)
                    running.cancel()
                }
                try? await server.shutdownGracefully()
                deadline.cancel()
            }
        }
    }
}
#endif
