internal import Taffrail
internal import TaffrailText

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

    /// The characters of windows-1252 at 0x80 to 0x9F; 0 if unassigned.
    fileprivate static let upperControls: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}

/// Converts bytes of an encoding to UTF-8. Invalid characters become U+FFFD.
struct XMLTranscoder {
    let encoding: XMLEncoding
    /// The first byte of an incomplete pair.
    private var half: UInt8?
    /// The first unit of a surrogate pair.
    private var surrogate: UInt16?

    init(_ encoding: XMLEncoding) { self.encoding = encoding }

    /// Appends the characters of `bytes`.
    mutating func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        switch encoding {
        case .utf8: text.append(contentsOf: bytes)
        case .latin1, .windows1252: for byte in bytes { append(character(byte), to: &text) }
        case .utf16BigEndian, .utf16LittleEndian:
            for byte in bytes {
                guard let first = half else {
                    half = byte
                    continue
                }
                half = nil
                let (high, low) = encoding == .utf16BigEndian ? (first, byte) : (byte, first)
                append(unit: UInt16(high) << 8 | UInt16(low), to: &text)
            }
        }
    }

    /// Appends the rest at the end of the document.
    mutating func finish(_ text: inout [UInt8]) {
        guard half != nil || surrogate != nil else { return }
        half = nil
        surrogate = nil
        append(nil, to: &text)
    }

    private func character(_ byte: UInt8) -> Unicode.Scalar? {
        guard encoding == .windows1252, (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        let unit = XMLEncoding.upperControls[Int(byte) - 0x80]
        return unit == 0 ? nil : Unicode.Scalar(unit)
    }

    private mutating func append(unit: UInt16, to text: inout [UInt8]) {
        if let high = surrogate {
            surrogate = nil
            if (0xDC00...0xDFFF).contains(unit) {
                let value = 0x1_0000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return append(Unicode.Scalar(value), to: &text)
            }
            append(nil, to: &text)
        }
        if (0xD800...0xDBFF).contains(unit) {
            surrogate = unit
        } else {
            append(Unicode.Scalar(unit), to: &text)
        }
    }

    private func append(_ character: Unicode.Scalar?, to text: inout [UInt8]) {
        text.append(contentsOf: UTF8.encode(character ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
}

/// The bytes of an XML text, converted to UTF-8.
final class XMLSource: ByteSource {
    private let source: any ByteSource
    private var transcoder: XMLTranscoder?
    /// Text that has not been returned yet.
    private var ready: [UInt8] = []
    private var readyUsed = 0
    private var isAtEnd = false

    private static let chunk = 16_384

    init(_ source: any ByteSource) { self.source = source }

    /// The encoding, known once a byte has been read.
    var encoding: XMLEncoding { transcoder?.encoding ?? .utf8 }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if transcoder == nil { try begin() }
        while readyUsed == ready.count {
            guard !isAtEnd else { return 0 }
            if encoding == .utf8 { return try source.read(into: buffer) }
            let raw = try readRaw(Self.chunk)
            ready.removeAll(keepingCapacity: true)
            readyUsed = 0
            transcoder?.append(raw, to: &ready)
            if isAtEnd { transcoder?.finish(&ready) }
        }
        let count = min(buffer.count, ready.count - readyUsed)
        buffer.copyBytes(from: ready[readyUsed..<readyUsed + count])
        readyUsed += count
        return count
    }

    /// Reads enough to determine the encoding.
    private func begin() throws(SystemError) {
        var prefix: [UInt8] = []
        while prefix.count < XMLEncoding.prefixLength, !isAtEnd {
            prefix += try readRaw(XMLEncoding.prefixLength - prefix.count)
        }
        var transcoder = XMLTranscoder(XMLEncoding(prefix: prefix))
        transcoder.append(prefix, to: &ready)
        if isAtEnd { transcoder.finish(&ready) }
        self.transcoder = transcoder
    }

    private func readRaw(_ count: Int) throws(SystemError) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { bytes.deallocate() }
        let read = try source.read(into: bytes)
        if read == 0 { isAtEnd = true }
        return Array(bytes[..<read])
    }
}
