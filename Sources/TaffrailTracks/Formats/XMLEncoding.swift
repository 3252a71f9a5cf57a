/// The supported encodings of XML documents, and their conversion to UTF-8, in chunks of any size.
enum XMLEncoding: Sendable, Hashable {
    case utf8, latin1, windows1252, utf16BigEndian, utf16LittleEndian

    /// The number of bytes at a document's start that determine its encoding.
    static let prefixLength = 512

    /// Determines the encoding by a document's byte order mark, first characters or declaration; UTF-8 for any other.
    init(prefix: some RandomAccessCollection<UInt8>) {
        let bytes = Array(prefix.prefix(Self.prefixLength))
        self = .utf8
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, UInt8(ascii: "<")]) {
            self = .utf16BigEndian
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [UInt8(ascii: "<"), 0]) {
            self = .utf16LittleEndian
        } else if bytes.starts(with: "<?xml".utf8) {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.firstRange(of: "?>"), let name = Self.declared(in: text[..<end.lowerBound]) else {
                return
            }
            if name == "iso-8859-1" { self = .latin1 }
            if name == "windows-1252" { self = .windows1252 }
        }
    }

    /// Returns the encoding named by a declaration, in lower case.
    static func declared(in declaration: some StringProtocol) -> String? {
        let declaration = String(declaration)
        guard let mark = declaration.firstRange(of: "encoding") else { return nil }
        let value = declaration[mark.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'" }
        return value.prefix { $0 != "\"" && $0 != "'" }.lowercased()
    }

    /// Returns whether a declaration may name `name` in a document of this encoding.
    func isNamed(_ name: String) -> Bool {
        switch self {
        case .utf8: ["utf-8", "utf8", "us-ascii", "ascii"].contains(name)
        case .latin1: name == "iso-8859-1"
        case .windows1252: name == "windows-1252"
        case .utf16BigEndian: name == "utf-16" || name == "utf-16be"
        case .utf16LittleEndian: name == "utf-16" || name == "utf-16le"
        }
    }
}
