#if HTTP
internal import Taffrail

/// The certificates by which the ends of a connection identify themselves.
public struct HTTPTLSOptions: Sendable, Hashable, Decodable {
    /// A file of certificates, in PEM, that are trusted instead of the system's.
    public var authority: String?
    /// The file of this program's certificate chain, in PEM.
    public var certificate: String?
    /// The file of this program's private key, in PEM.
    public var key: String?
    /// Whether the certificate of the other end is not verified: for tests only.
    public var insecure = false

    /// The system's authorities, and no certificate.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case authority, certificate, key, insecure }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        authority = try options.path(.authority)
        certificate = try options.path(.certificate)
        key = try options.path(.key)
        insecure = try options.value(.insecure, or: false)
        guard (certificate == nil) == (key == nil) else {
            throw options.problem(.certificate, "must be set together with key")
        }
    }
}
#endif
