#if HTTP
package import Taffrail
internal import TaffrailText

/// The credentials of a program for a destination. Files are read again for each request.
public struct HTTPCredentials: Sendable, Hashable {
    /// A bearer token.
    public var token: Secret?
    /// A file that contains a bearer token.
    public var tokenFile: String?
    /// An environment variable that contains a bearer token.
    public var tokenEnvironment: String?
    /// The name of a systemd credential that contains a bearer token.
    public var tokenCredential: String?
    /// The user, with a password.
    public var user: String?
    /// The user's password.
    public var password: Secret?

    /// None.
    public init() {}

    /// The problem with the combination, and the option that has it; `nil` if there is none.
    package var problem: (option: String, reason: String)? {
        let tokens = [
            token.map { _ in "token" }, tokenFile.map { _ in "token_file" },
            tokenEnvironment.map { _ in "token_environment" }, tokenCredential.map { _ in "token_credential" },
        ].compactMap(\.self)
        if tokens.count > 1 {
            return (tokens[1], "only one of token, token_file, token_environment and token_credential may be set")
        }
        if (user == nil) != (password == nil) {
            return (user == nil ? "password" : "user", "user and password must be set together")
        }
        if !tokens.isEmpty && user != nil { return ("user", "a token cannot be combined with a user") }
        return nil
    }

    /// Returns the value of the header `Authorization`; `nil`: none.
    ///
    /// - Throws: ``OptionError`` when a token cannot be read.
    package func authorization() throws(OptionError) -> String? {
        if let user, let password {
            return "Basic " + Base64.encoded("\(user):\(password.text)".utf8)
        }
        if let token { return try Self.bearer(token.text, "token") }
        if let tokenEnvironment {
            guard let token = Environment[tokenEnvironment] else {
                throw OptionError("token_environment", "the variable \(tokenEnvironment) is not set")
            }
            return try Self.bearer(token, "token_environment")
        }
        if let tokenFile { return try Self.bearer(Self.contents(tokenFile, "token_file"), "token_file") }
        guard let tokenCredential else { return nil }
        guard let directory = Environment["CREDENTIALS_DIRECTORY"] else {
            throw OptionError("token_credential", "the program has no systemd credentials")
        }
        return try Self.bearer(Self.contents("\(directory)/\(tokenCredential)", "token_credential"), "token_credential")
    }

    private static func contents(_ path: String, _ option: String) throws(OptionError) -> String {
        do throws(SystemError) {
            let file = try FileDescriptor(path, .read)
            return String(decoding: try file.read(min(try file.size, 64 << 10), at: 0), as: UTF8.self)
        } catch {
            throw OptionError(option, "\(error)")
        }
    }

    private static func bearer(_ text: String, _ option: String) throws(OptionError) -> String {
        let bytes = text.utf8.drop { $0 <= 32 }
        let token = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
        guard !token.isEmpty, bytes.dropFirst(token.utf8.count).allSatisfy({ $0 <= 32 }),
            HTTPAddress.isHeaderValue(token)
        else { throw OptionError(option, "is not a token") }
        return "Bearer " + token
    }
}
#endif
