internal import TaffrailText

/// The bytes of an XML text, read as needed, and the ends of its marks and tags.
struct XMLScanner: ~Copyable {
    var window: ByteWindow

    private static let documentTypeLimit = 64 << 10

    /// The next byte; valid until ``fill(_:)`` is called again.
    var next: UnsafeMutablePointer<UInt8> { window.base + window.position }

    /// Makes at least `count` bytes available. Returns `false` when the stream has no more.
    mutating func fill(_ count: Int) throws(ReadError) -> Bool {
        var start = window.position
        while window.count - window.position < count {
            guard try window.more(keeping: &start) else { return false }
        }
        return true
    }

    /// Returns the distance from the next byte to `mark`.
    mutating func find(_ mark: StaticString) throws(ReadError) -> Int {
        let first = mark.utf8Start[0]
        var offset = 0
        while true {
            guard try fill(offset + mark.utf8CodeUnitCount) else {
                throw window.truncated("the document ends inside a tag")
            }
            let start = next + offset
            if start[0] == first,
                UnsafeBufferPointer(start: start, count: mark.utf8CodeUnitCount)
                    .elementsEqual(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
            {
                return offset
            }
            offset += 1
        }
    }

    /// Advances and counts the lines.
    mutating func advance(_ count: Int) {
        for index in window.position..<window.position + count where window.base[index] == 10 { window.line += 1 }
        window.position += count
    }

    mutating func skip(past mark: StaticString) throws(ReadError) {
        advance(try find(mark) + mark.utf8CodeUnitCount)
    }

    /// Returns whether `text` is at an offset from the next byte.
    mutating func starts(with text: StaticString, at offset: Int) throws(ReadError) -> Bool {
        guard try fill(offset + text.utf8CodeUnitCount) else { return false }
        return UnsafeBufferPointer(start: next + offset, count: text.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Skips a document type, with its declarations.
    mutating func skipDocumentType() throws(ReadError) {
        var length = 9
        var quote: UInt8 = 0
        var level = 0
        while true {
            guard try fill(length + 1) else { throw window.truncated("the document ends inside a document type") }
            guard length < Self.documentTypeLimit else { throw window.error("a document type longer than 64 KiB") }
            let byte = next[length]
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
                            throw window.truncated("the document ends inside a document type")
                        }
                        length += 1
                    }
                    length += 3
                } else if try starts(with: "<!ENTITY", at: length - 1) {
                    throw window.error("a document type with entities is not supported")
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

    /// Returns the distance to the `>` that ends a tag, ignoring any in quotes.
    mutating func tagLength() throws(ReadError) -> Int {
        var length = 1
        var quote: UInt8 = 0
        while true {
            guard try fill(length + 1) else { throw window.truncated("the document ends inside a tag") }
            let byte = next[length]
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
