internal import Taffrail
internal import TaffrailText

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
