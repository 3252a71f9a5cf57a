#if Server
internal import NIOSSL
package import Taffrail

/// The certificate of a server.
package enum ServerCertificate {
    /// Checks that the files can be used together.
    ///
    /// - Throws: ``OptionError`` with the option whose file is wrong.
    package static func check(certificate: String, key: String) throws(OptionError) {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
            throw OptionError("certificate", "\(certificate) cannot be read as PEM: \(error)")
        }
        guard !chain.isEmpty else { throw OptionError("certificate", "\(certificate) contains no certificate") }
        do { _ = try NIOSSLPrivateKey(file: key, format: .pem) } catch {
            throw OptionError("key", "\(key) cannot be read as PEM: \(error)")
        }
        do { _ = try NIOSSLContext(configuration: try configuration(certificate: certificate, key: key)) } catch {
            throw OptionError("key", "\(key) does not belong to \(certificate): \(error)")
        }
    }

    /// Returns the TLS configuration with the certificate.
    static func configuration(certificate: String, key: String) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
        let key = try NIOSSLPrivateKey(file: key, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
#endif
