package import Taffrail
internal import TaffrailText

/// The tokens that a server accepts, stored as hashes.
package struct AccessTokens: Sendable {
    private struct Entry: Sendable {
        let hash: [UInt8]
        let access: Access
    }

    private let entries: [Entry]

    /// The errors in the file, with line numbers but without the contents of the lines.
    package let problems: [OptionError]

    /// Parses the lines of a token file: `TOKEN [ingest] [read] [control] [device=NAME] [name=LABEL]`. A token may be
    /// `sha256:` and the hash's 64 hexadecimal digits. Default roles: ingest and read; default label: the start of the
    /// hash. Empty lines and lines that begin with `#` are skipped.
    package init(_ text: String) {
        var entries: [Entry] = []
        var problems: [OptionError] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(OptionError) {
                if let entry = try Self.entry(line, number: index + 1) { entries.append(entry) }
            } catch {
                problems.append(error)
            }
        }
        self.entries = entries
        self.problems = problems
    }

    /// Whether no token is valid.
    package var isEmpty: Bool { entries.isEmpty }

    private static func entry(_ line: Substring, number: Int) throws(OptionError) -> Entry? {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let token = words.first, !token.hasPrefix("#") else { return nil }
        guard let hash = hash(token) else {
            throw OptionError("token_file", "line \(number): sha256: needs 64 hexadecimal digits")
        }
        var access = Access(roles: [])
        for word in words.dropFirst() {
            switch word {
            case _ where word.hasPrefix("device=") && word.count > 7: access.device = String(word.dropFirst(7))
            case _ where word.hasPrefix("name=") && word.count > 5: access.label = String(word.dropFirst(5))
            default:
                guard let role = Access.Roles.names.first(where: { $0.name == word })?.role else {
                    throw OptionError(
                        "token_file",
                        "line \(number): expected ingest, read, control, device=NAME or name=LABEL after the token")
                }
                access.roles.insert(role)
            }
        }
        if access.roles.isEmpty { access.roles = [.ingest, .read] }
        access.owner = hash.hashValue
        if access.label.isEmpty { access.label = HexText.string(hash.prefix(4)) }
        return Entry(hash: hash, access: access)
    }

    private static func hash(_ token: Substring) -> [UInt8]? {
        guard token.hasPrefix("sha256:") else { return SHA256.hash(Array(token.utf8)) }
        return HexText.bytes(token.utf8.dropFirst(7), count: 32)
    }

    /// Returns the access of a token; `nil` if it is unknown.
    package func access(of token: [UInt8]) -> Access? { access(ofHash: SHA256.hash(token)) }

    /// Returns the access of the token with a hash; `nil` if there is none.
    ///
    /// Takes the same time for all tokens: all hashes are compared in full.
    func access(ofHash hash: [UInt8]) -> Access? {
        var found: Access?
        for entry in entries {
            let difference = zip(entry.hash, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 && found == nil { found = entry.access }
        }
        return found
    }

    /// Returns the token in the value of the header `Authorization`: a bearer token, or the password of a user.
    static func token(in authorization: String) -> [UInt8]? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = parts[1].utf8.drop { $0 == 32 }
        switch parts[0].lowercased() {
        case "bearer": return Array(value)
        case "basic":
            guard let pair = Base64.decoded(value), let colon = pair.firstIndex(of: UInt8(ascii: ":")) else {
                return nil
            }
            return Array(pair[(colon + 1)...])
        default: return nil
        }
    }
}
