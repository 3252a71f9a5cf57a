#if HTTP
internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Taffrail

/// The meaning of a connection's errors.
package enum HTTPFailure {
    /// Returns whether nothing of a request was sent when an error occurred.
    static func isBeforeRequest(_ error: any Error) -> Bool {
        if error is NIOConnectionError || error is NIOSSLError || error is NIOSSLExtraError { return true }
        if let error = error as? IOError {
            return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT].contains(error.errnoCode)
        }
        guard let error = error as? HTTPClientError else { return false }
        return error == .connectTimeout || error == .tlsHandshakeTimeout || error == .getConnectionFromPoolTimeout
    }

    /// Returns whether an error is one of TLS, such as a certificate that was not accepted.
    static func isOfTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is NIOSSLExtraError || tlsText(of: "\(error)") != nil
    }

    /// Returns an error of the connection, in one line.
    package static func text(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError, let first = error.connectionErrors.first {
            return text(of: first.error)
        }
        return text(of: error)
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let error as IOError: SystemError("", code: error.errnoCode).reason
        case let error as HTTPClientError: error.shortDescription
        default: tlsText(of: "\(error)") ?? String("\(error)".map { $0.isNewline ? " " : $0 })
        }
    }

    /// Returns BoringSSL's reason in an error, such as `TLS: certificate verify failed`, without its error numbers and
    /// source files.
    package static func tlsText(of error: String) -> String? {
        let parts = error.split(separator: "OPENSSL_internal:")
        guard parts.count > 1 else { return nil }
        let reason = parts[1].prefix { $0 == "_" || $0.isUppercase || $0.isNumber }
        return reason.isEmpty ? nil : "TLS: " + reason.lowercased().replacing("_", with: " ")
    }
}
#endif
