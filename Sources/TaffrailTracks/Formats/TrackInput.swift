internal import TaffrailText

/// A document that is read in parts, from memory or from a stream.
protocol TrackInput: ~Copyable {
    init(_ source: any ByteSource)
    init(_ bytes: some Collection<UInt8>)
}

extension XMLReader: TrackInput {}

extension JSONReader: TrackInput {
    init(_ source: any ByteSource) { self.init(source, maximum: 16 << 20) }
    init(_ bytes: some Collection<UInt8>) { self.init(bytes, isStrict: true) }
}

extension ByteWindow: TrackInput {
    init(_ source: any ByteSource) { self.init(source, maximum: 1 << 20) }
}
