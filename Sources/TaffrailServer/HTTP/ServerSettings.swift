/// The address and the limits of a server.
package struct ServerSettings: Sendable {
    /// The address to listen on, numeric or a name.
    package var host: String
    /// The port; 0: any free port.
    package var port: Int
    /// The certificate chain and the private key, as files in PEM; `nil`: no TLS.
    package var tls: (certificate: String, key: String)?
    /// The maximum number of simultaneous connections; others wait to be accepted.
    package var connections = 512
    /// How long a request may take, from its head to the end of its response.
    package var requestTime = Duration.seconds(60)
    /// How long a connection may be without a request, or with an incomplete head.
    package var idleTime = Duration.seconds(30)
    /// The maximum memory for all bodies, including decoded values, in bytes.
    package var memory = 64 << 20

    /// Creates settings.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
