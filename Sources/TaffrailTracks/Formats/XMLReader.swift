internal import TaffrailText

/// Reads XML 1.0 element by element, from a stream of any length, in constant memory; in UTF-8, UTF-16, ISO-8859-1 or
/// windows-1252.
///
/// Strict where it matters: tags must match, there is one root, entities are the five of XML and numeric character
/// references. A document type is skipped, but rejected if it declares entities, which could grow or read other files.
/// Names are local: prefixes are ignored.
struct XMLReader: ~Copyable {
    private var scanner: XMLScanner
    /// The decoded characters between two tags.
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

    /// Reads a document in memory.
    init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        source = nil
        var transcoder = XMLTranscoder(XMLEncoding(prefix: bytes))
        memoryEncoding = transcoder.encoding
        var text: [UInt8] = []
        transcoder.append(bytes, to: &text)
        transcoder.finish(&text)
        scanner = XMLScanner(window: ByteWindow(text))
    }

    /// Reads a stream; tags and texts, including those read by ``readText()``, are limited to 1 MiB.
    init(_ source: any ByteSource) {
        let text = XMLSource(source)
        self.source = text
        memoryEncoding = .utf8
        scanner = XMLScanner(window: ByteWindow(text, maximum: 2 << 20))
    }

    /// Creates an error at the token that was read last.
    func error(_ reason: String) -> ReadError { scanner.window.error(reason) }

    /// The offset of the next token in the document.
    var offset: Int { scanner.window.streamOffset }

    /// The line of the next token, from 1.
    var line: Int { scanner.window.line }

    /// Returns whether the name is `name`.
    @inline(__always)
    func isName(_ other: StaticString) -> Bool { name.is(other) }

    /// Returns the value of an attribute.
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
            guard try scanner.fill(1) else {
                guard depth == 0 else { throw scanner.window.truncated("the document ends inside <\(openName)>") }
                guard hasRoot else { throw scanner.window.truncated("the document contains no element") }
                return .finish
            }
            if scanner.next[0] != UInt8(ascii: "<") {
                if try characters() { return .text }
                continue
            }
            guard try scanner.fill(2) else { throw scanner.window.truncated("the document ends inside a tag") }
            switch scanner.next[1] {
            case UInt8(ascii: "/"): return try endTag()
            case UInt8(ascii: "?"): try scanner.skip(past: "?>")
            case UInt8(ascii: "!"): if try markup() { return .text }
            default: return try startTag()
            }
        }
    }

    /// Advances to the root element, which must have a given name.
    mutating func enterRoot(_ name: StaticString) throws(ReadError) {
        guard try next() == .start, isName(name) else { throw error("the root element is not \(name)") }
    }

    /// Skips the element that has just started, and its contents.
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
            if collected.count > Self.textLimit { throw error("character data longer than 1 MiB") }
        }
        text = collected
    }

    // MARK: Parts

    private var openName: String { String(decoding: open.dropLast().split(separator: 0).last ?? [], as: UTF8.self) }

    /// Removes a byte order mark.
    private mutating func start() throws(ReadError) {
        isAtStart = false
        guard try scanner.fill(3) else { return }
        if scanner.next[0] == 0xEF && scanner.next[1] == 0xBB && scanner.next[2] == 0xBF { scanner.window.position = 3 }
        if scanner.window.base[0] >= 0xFE { throw error("the document starts with bytes of an unknown encoding") }
        if try scanner.fill(5), UnsafeBufferPointer(start: scanner.next, count: 5).elementsEqual("<?xml".utf8) {
            try declaration()
        }
    }

    private mutating func declaration() throws(ReadError) {
        let end = try scanner.find("?>")
        let text = String(
            decoding: UnsafeBufferPointer(start: scanner.next, count: end), as: UTF8.self)
        scanner.window.position += end + 2
        guard let name = XMLEncoding.declared(in: text) else { return }
        guard (source?.encoding ?? memoryEncoding).isNamed(name) else {
            throw error("the encoding \(name) is not supported; only UTF-8, UTF-16, ISO-8859-1 and windows-1252")
        }
    }

    /// Returns a comment, which is skipped, or CDATA, which is text.
    private mutating func markup() throws(ReadError) -> Bool {
        guard try scanner.fill(4) else { throw scanner.window.truncated("the document ends inside a tag") }
        let start = scanner.next
        if start[2] == UInt8(ascii: "-") && start[3] == UInt8(ascii: "-") {
            scanner.advance(4)
            try scanner.skip(past: "-->")
            return false
        }
        if try scanner.starts(with: "<!DOCTYPE", at: 0), depth == 0, !hasRoot {
            try scanner.skipDocumentType()
            return false
        }
        guard try scanner.starts(with: "<![CDATA[", at: 0) else { throw error("an unknown tag") }
        guard depth > 0 else { throw error("characters outside of the root element") }
        scanner.advance(9)
        let length = try scanner.find("]]>")
        text = Array(UnsafeBufferPointer(start: scanner.next, count: length))
        scanner.advance(length + 3)
        return true
    }

    /// Reads the characters up to the next tag. Returns `false` when they are only spaces.
    private mutating func characters() throws(ReadError) -> Bool {
        var length = 0
        var isSpace = true
        while try scanner.fill(length + 1) {
            let byte = scanner.next[length]
            if byte == UInt8(ascii: "<") { break }
            if byte > 32 { isSpace = false }
            length += 1
            if length > Self.textLimit { throw error("character data longer than 1 MiB") }
        }
        if isSpace {
            scanner.advance(length)
            return false
        }
        guard depth > 0 else { throw error("characters outside of the root element") }
        let bytes = UnsafeBufferPointer(start: scanner.next, count: length)
        guard let decoded = XMLText.decoded(bytes) else { throw error("an unknown entity") }
        text = decoded
        scanner.advance(length)
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
        let length = try scanner.find(">")
        let tag = UnsafeBufferPointer(start: scanner.next + 2, count: max(0, length - 2))
        var end = tag.count
        while end > 0 && tag[end - 1] <= 32 { end -= 1 }
        let start = open.dropLast().lastIndex(of: 0).map { $0 + 1 } ?? 0
        guard depth > 0, open[start...].dropLast().elementsEqual(tag[..<end]) else {
            throw error("</\(String(decoding: tag[..<end], as: UTF8.self))> instead of </\(openName)>")
        }
        scanner.advance(length + 1)
        return closed()
    }

    private mutating func startTag() throws(ReadError) -> XMLToken {
        guard depth > 0 || !hasRoot else { throw error("more than one root element") }
        guard depth < Self.depthLimit else { throw error("elements are nested deeper than 256 levels") }
        let length = try scanner.tagLength()
        let tag = UnsafeBufferPointer(start: scanner.next + 1, count: length - 1)
        var parts = XMLTagScanner(bytes: tag)
        attributes.removeAll(keepingCapacity: true)
        guard let full = parts.name() else { throw error("a tag without a name") }
        while let attribute = parts.attribute() { attributes.append(attribute) }
        guard let isEmpty = parts.finish() else { throw error("a malformed tag") }
        name = XMLText.localName(full)
        open += full
        open.append(0)
        depth += 1
        hasRoot = true
        endsAtOnce = isEmpty
        scanner.advance(length + 1)
        return .start
    }

}
