internal import TaffrailText

/// A token of an XML text.
enum XMLToken: Sendable, Hashable {
    /// The start of an element, with a name and attributes.
    case start
    /// Characters of the current element.
    case text
    /// The end of the element.
    case end
    /// The end of the text.
    case finish
}

/// Reads XML 1.0 element by element, from a stream of any length, in constant memory; in UTF-8, UTF-16, ISO-8859-1 or
/// windows-1252.
///
/// Strict where it matters: tags must match, there is one root, entities are the five of XML and numeric character
/// references. A document type is skipped; one that declares entities is rejected, and with it entities that grow or
/// read other files. Names are local: prefixes are ignored.
struct XMLReader: ~Copyable {
    var window: ByteWindow
    /// The characters of a text, decoded.
    private(set) var text: [UInt8] = []
    /// The local name of an element at its start or end.
    private(set) var name: [UInt8] = []
    private(set) var attributes: [(name: [UInt8], value: [UInt8])] = []
    /// The full names of the open elements, each followed by a zero.
    private var open: [UInt8] = []
    private(set) var depth = 0
    private var endsAtOnce = false
    private var hasRoot = false
    private var isAtStart = true
    private let source: XMLSource?
    private let memoryEncoding: XMLEncoding

    private static let depthLimit = 256
    private static let textLimit = 1 << 20
    private static let documentTypeLimit = 64 << 10

    /// Reads a text in memory.
    init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        source = nil
        var transcoder = XMLTranscoder(XMLEncoding(prefix: bytes))
        memoryEncoding = transcoder.encoding
        var text: [UInt8] = []
        transcoder.append(bytes, to: &text)
        transcoder.finish(&text)
        window = ByteWindow(text)
    }

    /// Reads a stream; tags and texts are limited to 1 MiB.
    init(_ source: any ByteSource) {
        let text = XMLSource(source)
        self.source = text
        memoryEncoding = .utf8
        window = ByteWindow(text, maximum: 2 << 20)
    }

    /// Whether the name is `name`.
    @inline(__always)
    func isName(_ other: StaticString) -> Bool { name.is(other) }

    /// The value of an attribute.
    func attribute(_ name: StaticString) -> [UInt8]? { attributes.first { $0.name.is(name) }?.value }

    /// The text without spaces at its ends, as a string.
    var string: String { String(decoding: text.trimmed, as: UTF8.self) }

    /// The text as a number.
    var number: Double? { text.trimmed.withUnsafeBufferPointer { DecimalText.double($0) } }

    /// Advances to the next token. Text of only spaces is skipped.
    mutating func next() throws(ReadError) -> XMLToken {
        if isAtStart { try start() }
        if endsAtOnce {
            endsAtOnce = false
            return closed()
        }
        while true {
            guard try fill(1) else {
                guard depth == 0 else { throw window.truncated("the text ends inside <\(openName)>") }
                guard hasRoot else { throw window.truncated("there is no element") }
                return .finish
            }
            if window.base[window.position] != UInt8(ascii: "<") {
                if try characters() { return .text }
                continue
            }
            guard try fill(2) else { throw window.truncated("the text ends inside a tag") }
            switch window.base[window.position + 1] {
            case UInt8(ascii: "/"): return try endTag()
            case UInt8(ascii: "?"): try skip(past: "?>")
            case UInt8(ascii: "!"): if try markup() { return .text }
            default: return try startTag()
            }
        }
    }

    /// Advances to the root element, which must have a given name.
    mutating func enterRoot(_ name: StaticString) throws(ReadError) {
        guard try next() == .start, isName(name) else { throw window.error("the root element is not \(name)") }
    }

    /// Skips the element that has just started, with its contents.
    mutating func skipElement() throws(ReadError) {
        let level = depth
        while depth >= level { _ = try next() }
    }

    /// Advances to the end of the element that has just started, and collects its own characters in ``text``.
    mutating func readText() throws(ReadError) {
        var collected: [UInt8] = []
        let level = depth
        while depth >= level {
            if try next() == .text && depth == level { collected += text }
        }
        text = collected
    }

    // MARK: Parts

    private var openName: String { String(decoding: open.dropLast().split(separator: 0).last ?? [], as: UTF8.self) }

    /// Removes a byte order mark.
    private mutating func start() throws(ReadError) {
        isAtStart = false
        guard try fill(3) else { return }
        if window.base[0] == 0xEF && window.base[1] == 0xBB && window.base[2] == 0xBF { window.position = 3 }
        if window.base[0] >= 0xFE { throw window.error("only UTF-8 can be read") }
        if try fill(5), UnsafeBufferPointer(start: window.base + window.position, count: 5).elementsEqual("<?xml".utf8)
        {
            try declaration()
        }
    }

    private mutating func declaration() throws(ReadError) {
        let end = try find("?>")
        let text = String(
            decoding: UnsafeBufferPointer(start: window.base + window.position, count: end), as: UTF8.self)
        window.position += end + 2
        guard let name = XMLEncoding.declared(in: text) else { return }
        guard (source?.encoding ?? memoryEncoding).isNamed(name) else {
            throw window.error("the encoding \(name) cannot be read: only UTF-8, UTF-16, ISO-8859-1 and windows-1252")
        }
    }

    /// Makes at least `count` bytes available. Returns `false` when the stream has no more.
    private mutating func fill(_ count: Int) throws(ReadError) -> Bool {
        var start = window.position
        while window.count - window.position < count {
            guard try window.more(keeping: &start) else { return false }
        }
        return true
    }

    /// The distance from the next byte to `mark`.
    private mutating func find(_ mark: StaticString) throws(ReadError) -> Int {
        let first = mark.utf8Start[0]
        var offset = 0
        while true {
            guard try fill(offset + mark.utf8CodeUnitCount) else {
                throw window.truncated("the text ends inside a tag")
            }
            let place = window.base + window.position + offset
            if place[0] == first,
                UnsafeBufferPointer(start: place, count: mark.utf8CodeUnitCount)
                    .elementsEqual(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
            {
                return offset
            }
            offset += 1
        }
    }

    /// Advances and counts the lines.
    private mutating func advance(_ count: Int) {
        for index in window.position..<window.position + count where window.base[index] == 10 { window.line += 1 }
        window.position += count
    }

    private mutating func skip(past mark: StaticString) throws(ReadError) {
        advance(try find(mark) + mark.utf8CodeUnitCount)
    }

    /// A comment, which is skipped, or CDATA, which is text.
    private mutating func markup() throws(ReadError) -> Bool {
        guard try fill(4) else { throw window.truncated("the text ends inside a tag") }
        let place = window.base + window.position
        if place[2] == UInt8(ascii: "-") && place[3] == UInt8(ascii: "-") {
            advance(4)
            try skip(past: "-->")
            return false
        }
        if try starts(with: "<!DOCTYPE", at: 0), depth == 0, !hasRoot {
            try documentType()
            return false
        }
        guard try starts(with: "<![CDATA[", at: 0) else { throw window.error("a tag that is not known") }
        guard depth > 0 else { throw window.error("characters outside of the root element") }
        advance(9)
        let length = try find("]]>")
        text = Array(UnsafeBufferPointer(start: window.base + window.position, count: length))
        advance(length + 3)
        return true
    }

    /// Whether `text` follows `offset` bytes after the next one.
    private mutating func starts(with text: StaticString, at offset: Int) throws(ReadError) -> Bool {
        guard try fill(offset + text.utf8CodeUnitCount) else { return false }
        return UnsafeBufferPointer(start: window.base + window.position + offset, count: text.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Skips a document type, with its declarations.
    private mutating func documentType() throws(ReadError) {
        var length = 9
        var quote: UInt8 = 0
        var level = 0
        while true {
            guard try fill(length + 1) else { throw window.truncated("the text ends inside a document type") }
            guard length < Self.documentTypeLimit else { throw window.error("a document type longer than 64 KiB") }
            let byte = window.base[window.position + length]
            length += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): level += 1
            case UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: "<"):
                if try starts(with: "<!--", at: length - 1) {
                    length += 3
                    while try !starts(with: "-->", at: length) {
                        guard try fill(length + 3), length < Self.documentTypeLimit else {
                            throw window.truncated("the text ends inside a document type")
                        }
                        length += 1
                    }
                    length += 3
                } else if try starts(with: "<!ENTITY", at: length - 1) {
                    throw window.error("a document type with entities is not read")
                } else {
                    level += 1
                }
            case UInt8(ascii: ">"):
                if level == 0 { return advance(length) }
                level -= 1
            default: break
            }
        }
    }

    /// Characters up to the next tag. Returns `false` when they are only spaces.
    private mutating func characters() throws(ReadError) -> Bool {
        var length = 0
        var isSpace = true
        while try fill(length + 1) {
            let byte = window.base[window.position + length]
            if byte == UInt8(ascii: "<") { break }
            if byte > 32 { isSpace = false }
            length += 1
            if length > Self.textLimit { throw window.error("a text longer than 1 MiB") }
        }
        if isSpace {
            advance(length)
            return false
        }
        guard depth > 0 else { throw window.error("characters outside of the root element") }
        let bytes = UnsafeBufferPointer(start: window.base + window.position, count: length)
        guard let decoded = XMLText.decoded(bytes) else { throw window.error("an unknown entity") }
        text = decoded
        advance(length)
        return true
    }

    private mutating func closed() -> XMLToken {
        open.removeLast()
        let start = open.lastIndex(of: 0).map { $0 + 1 } ?? 0
        name = XMLText.localName(open[start...])
        open.removeSubrange(start...)
        depth -= 1
        attributes.removeAll(keepingCapacity: true)
        return .end
    }

    private mutating func endTag() throws(ReadError) -> XMLToken {
        let length = try find(">")
        let tag = UnsafeBufferPointer(start: window.base + window.position + 2, count: max(0, length - 2))
        var end = tag.count
        while end > 0 && tag[end - 1] <= 32 { end -= 1 }
        let start = open.dropLast().lastIndex(of: 0).map { $0 + 1 } ?? 0
        guard depth > 0, open[start...].dropLast().elementsEqual(tag[..<end]) else {
            throw window.error("</\(String(decoding: tag[..<end], as: UTF8.self))> where </\(openName)> should follow")
        }
        advance(length + 1)
        return closed()
    }

    private mutating func startTag() throws(ReadError) -> XMLToken {
        guard depth > 0 || !hasRoot else { throw window.error("a second root element") }
        guard depth < Self.depthLimit else { throw window.error("elements are nested deeper than 256 levels") }
        let length = try tagLength()
        let tag = UnsafeBufferPointer(start: window.base + window.position + 1, count: length - 1)
        var scanner = XMLTagScanner(bytes: tag)
        attributes.removeAll(keepingCapacity: true)
        guard let full = scanner.name() else { throw window.error("a tag without a name") }
        while let attribute = scanner.attribute() { attributes.append(attribute) }
        guard let isEmpty = scanner.finish() else { throw window.error("a malformed tag") }
        name = XMLText.localName(full)
        open += full
        open.append(0)
        depth += 1
        hasRoot = true
        endsAtOnce = isEmpty
        advance(length + 1)
        return .start
    }

    /// The distance to the `>` that ends a tag, ignoring those in quotes.
    private mutating func tagLength() throws(ReadError) -> Int {
        var length = 1
        var quote: UInt8 = 0
        while true {
            guard try fill(length + 1) else { throw window.truncated("the text ends inside a tag") }
            let byte = window.base[window.position + length]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return length
            } else if byte
                == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                throw window.error("a tag inside a tag")
            }
            length += 1
        }
    }
}
