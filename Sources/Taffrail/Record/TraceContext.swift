/// The trace and span under which a record was logged.
public struct TraceContext: Sendable, Hashable {
    /// The trace.
    public var traceID: TraceID
    /// The span within the trace.
    public var spanID: SpanID
    /// The flags. Default: none.
    public var flags: Flags

    /// Creates a context.
    public init(traceID: TraceID, spanID: SpanID, flags: Flags = []) {
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
    }

    /// The identity of a distributed trace (W3C Trace Context): 16 bytes.
    public struct TraceID: Sendable, Hashable, CustomStringConvertible {
        /// The first eight bytes, as a big-endian number.
        public let high: UInt64
        /// The last eight bytes, as a big-endian number.
        public let low: UInt64

        /// Creates an identity from its halves.
        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        /// Parses 32 hexadecimal digits.
        ///
        /// - Returns: `nil` for any other string.
        public init?(_ text: String) {
            guard text.utf8.count == 32, let high = RingID(text.prefix(16)), let low = RingID(text.suffix(16)) else {
                return nil
            }
            self.init(high: high.value, low: low.value)
        }

        /// 32 lower-case hexadecimal digits.
        public var description: String { RingID(high).description + RingID(low).description }
    }

    /// The identity of a span: 8 bytes.
    public struct SpanID: Sendable, Hashable, CustomStringConvertible {
        /// The bytes, as a big-endian number.
        public let value: UInt64

        /// Creates an identity from its bytes.
        public init(_ value: UInt64) { self.value = value }

        /// Parses 16 hexadecimal digits.
        ///
        /// - Returns: `nil` for any other string.
        public init?(_ text: String) {
            guard let digits = RingID(text) else { return nil }
            value = digits.value
        }

        /// 16 lower-case hexadecimal digits.
        public var description: String { RingID(value).description }
    }

    /// The flags of a distributed trace (W3C Trace Context).
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The byte of the `traceparent` header.
        public let rawValue: UInt8

        /// Creates flags from the byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The caller may have recorded the trace.
        public static let sampled = Flags(rawValue: 1)
        /// The last seven bytes of the trace's identity are random.
        public static let random = Flags(rawValue: 2)

        /// Parses two hexadecimal digits.
        ///
        /// - Returns: `nil` for any other string.
        public init?(_ text: String) {
            guard let byte = HexText.number(text, count: 2) else { return nil }
            rawValue = UInt8(truncatingIfNeeded: byte)
        }
    }
}
