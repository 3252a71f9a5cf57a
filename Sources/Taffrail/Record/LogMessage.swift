/// The message of a record, built without a `String`.
///
/// The segments of an interpolated literal are written directly into a buffer of the calling thread:
///
///     logger.info("request id=\(id) served for user=\(name)")
///     logger.notice("signed in with \(token, privacy: .hash)")
///
/// A message belongs to the log call whose argument it is. It may be created outside of one (its bytes are then
/// kept on the heap), but not sent to another thread. Its interpolated values must not be awaited: an asynchronous
/// function accepts an interpolation only as the argument of a log call.
///
/// In the Swift 5 language mode an interpolation elsewhere in an asynchronous function is only a warning. Never ignore
/// it: after an `await` among the values the task may continue on another thread, which then writes to memory that the
/// first thread is using for its own log calls.
public struct LogMessage: ExpressibleByStringInterpolation {
    /// The bytes of a message that was created outside a log call; otherwise they are in the scratch.
    @usableFromInline
    let stored: StoredBytes?
    @usableFromInline
    let start: Int
    @usableFromInline
    let length: Int

    /// Creates a message from a literal without interpolations.
    public init(stringLiteral literal: StaticString) { self.init { $0.append(literal) } }

    /// Creates a message from its segments, which must not be awaited.
    @available(*, noasync, message: "create the message in the log call, or create a String first")
    @inlinable
    @inline(__always)
    public init(stringInterpolation: Interpolation) {
        self.init(scratch: stringInterpolation.scratch, from: stringInterpolation.start)
    }

    /// Creates a message from a `String`.
    public init(_ text: String) { self.init { $0.append(text) } }

    /// Creates a message from UTF-8 bytes.
    package init(utf8 bytes: [UInt8]) {
        let scratch = Scratch.current
        let start = scratch.cursor
        bytes.withUnsafeBytes { scratch.append(text: $0) }
        self.init(scratch: scratch, from: start)
    }

    @inline(__always)
    private init(writing write: (Scratch) -> Void) {
        let scratch = Scratch.current
        let start = scratch.cursor
        write(scratch)
        self.init(scratch: scratch, from: start)
    }

    @inlinable
    @inline(__always)
    init(scratch: Scratch, from start: Int) {
        self.start = start
        length = scratch.cursor &- start
        stored = scratch.isInCall ? nil : StoredBytes.taking(from: start, of: scratch)
    }

    /// Moves the bytes to `offset`, after the header of the call's record, and the cursor to their end.
    @inline(__always)
    func finish(at offset: Int, in scratch: Scratch) {
        if stored == nil && start == offset && scratch.cursor == start &+ length { return }
        move(to: offset, in: scratch)
    }

    private func move(to offset: Int, in scratch: Scratch) {
        if let stored {
            scratch.cursor = offset
            stored.bytes.withUnsafeBytes { scratch.append(text: $0) }
            return
        }
        // An earlier message of an enclosing call: its bytes are before the cursor.
        let end = scratch.cursor
        guard length > 0, start >= 0, start + length <= end, let room = scratch.append(length) else {
            scratch.cursor = offset
            return
        }
        room.copyMemory(from: scratch.pointer(at: start), byteCount: length)
        scratch.pointer(at: offset).copyMemory(from: scratch.pointer(at: end), byteCount: length)
        scratch.cursor = offset + length
    }

    /// Collects the segments of a message.
    public struct Interpolation: StringInterpolationProtocol {
        @usableFromInline
        let scratch: Scratch
        @usableFromInline
        let start: Int
        /// The offset of the next segment. A description that is evaluated in between may leave bytes in the scratch.
        @usableFromInline
        var end: Int

        /// Starts a message at the end of the thread's scratch. The segments must not be awaited, because the task
        /// could resume on another thread.
        @available(*, noasync, message: "create the message in the log call, or create a String first")
        @inlinable
        @inline(__always)
        public init(literalCapacity: Int, interpolationCount: Int) {
            scratch = .current
            start = scratch.cursor
            end = start
        }

        /// Appends a literal segment.
        @inlinable
        @inline(__always)
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.hasPointerRepresentation {
                end = scratch.put(literal.utf8Start, literal.utf8CodeUnitCount, at: end)
            } else {
                appendDescription("\(literal)")
            }
        }

        /// Appends a string.
        @inlinable
        @inline(__always)
        public mutating func appendInterpolation(_ value: consuming String) { end = scratch.put(value, at: end) }

        /// Appends a string.
        public mutating func appendInterpolation(_ value: Substring) { appendInterpolation(String(value)) }

        /// Appends a constant string.
        public mutating func appendInterpolation(_ value: StaticString) { appendLiteral(value) }

        /// Appends an integer in decimal.
        @inlinable
        public mutating func appendInterpolation(_ value: some FixedWidthInteger) {
            if let small = Int64(exactly: value) { appendInteger(small) } else { appendDescription("\(value)") }
        }

        /// Appends the shortest decimal that parses as the same number.
        public mutating func appendInterpolation(_ value: Double) { appendInterpolation(value.description) }

        /// Appends the shortest decimal that parses as the same number.
        public mutating func appendInterpolation(_ value: Float) { appendInterpolation(value.description) }

        /// Appends `true` or `false`.
        public mutating func appendInterpolation(_ value: Bool) { appendLiteral(value ? "true" : "false") }

        /// Appends a value's description, or `nil`.
        @inlinable
        public mutating func appendInterpolation<T>(_ value: T?) {
            if let value { appendDescription(String(describing: value)) } else { appendDescription("nil") }
        }

        /// Appends `String(describing:)` of a value. The description may itself log.
        @inlinable
        public mutating func appendInterpolation<T>(_ value: T) { appendDescription(String(describing: value)) }

        /// Appends a value as `privacy` permits. The description of a `private` value is not evaluated.
        @inlinable
        public mutating func appendInterpolation<T>(_ value: @autoclosure () -> T, privacy: Privacy) {
            switch privacy {
            case .public: appendDescription(String(describing: value()))
            case .private: appendLiteral("<private>")
            case .hash: appendHash(of: String(describing: value()))
            }
        }

        @inlinable
        @inline(__always)
        mutating func appendInteger(_ value: Int64) { end = scratch.put(decimal: value, at: end) }

        @usableFromInline
        mutating func appendDescription(_ text: String) { appendInterpolation(text) }

        /// Appends a hash of a string. Swift's `Hasher` is SipHash with a key that is random for each run.
        @usableFromInline
        mutating func appendHash(of text: String) {
            var hasher = Hasher()
            hasher.combine(text)
            let hash = RingID(UInt64(bitPattern: Int64(hasher.finalize()))).description
            appendLiteral("<hash:")
            appendInterpolation(hash)
            appendLiteral(">")
        }

        /// Appends a number in a format. Numbers of 2⁶³ and more, infinities and NaN are printed without a format.
        @inlinable
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint, format: LogMessage.FloatFormat) {
            append(Double(value), digits: format.digits)
        }

        /// Appends a number in a format.
        @inlinable
        public mutating func appendInterpolation<T: FixedWidthInteger>(_ value: T, format: LogMessage.IntegerFormat) {
            appendDescription(String(T.Magnitude(truncatingIfNeeded: value), radix: format.radix))
        }

        @usableFromInline
        mutating func append(_ value: Double, digits: Int) {
            guard value.magnitude < 0x1p63 else { return appendInterpolation(value.description) }
            if value.sign == .minus { appendLiteral("-") }
            guard digits > 0 else { return appendInteger(Int64(value.magnitude.rounded(.toNearestOrEven))) }
            var scale: Int64 = 1
            for _ in 0..<digits { scale *= 10 }
            var whole = Int64(value.magnitude)
            let fraction = value.magnitude - Double(whole)
            let product = fraction * Double(scale)
            let rounded = product.rounded(.toNearestOrEven)
            var units = Int64(rounded)
            // The product is itself rounded: halfway between two decimals, its error decides.
            let error = (-product).addingProduct(fraction, Double(scale))
            if product - rounded == 0.5 && error > 0 { units += 1 }
            if product - rounded == -0.5 && error < 0 { units -= 1 }
            if units == scale {
                whole += 1
                units = 0
            }
            appendInteger(whole)
            // The first digit, which preserves the zeros that follow it, becomes the point.
            let point = end
            appendInteger(scale + units)
            if end > point { scratch.pointer(at: point).storeBytes(of: UInt8(ascii: "."), as: UInt8.self) }
        }
    }
}

extension LogMessage {
    /// How an interpolated value appears in the log: `"\(token, privacy: .private)"`.
    ///
    /// Applied while the message is built: a private value is never converted to a string, and none of its bytes reach
    /// the queue, the ring file or a sink.
    public enum Privacy: Sendable, Hashable {
        /// The value itself; the default.
        case `public`
        /// Only `<private>`.
        case `private`
        /// A hash such as `<hash:5d41402abc4b2a76>`. Equal values have equal hashes within one run of the program. The
        /// key is random for each run, so that hashes cannot be looked up later.
        case hash
    }

    /// The format of a floating-point number in a message: `"\(speed, format: .fixed(2)) kn"`.
    public struct FloatFormat: Sendable, Hashable {
        @usableFromInline
        let digits: Int

        /// Returns a format with a fixed number of digits after the decimal point, rounded as C's `printf` does.
        ///
        /// - Parameter digits: 0 to 15; clamped.
        public static func fixed(_ digits: Int) -> FloatFormat { FloatFormat(digits: min(max(0, digits), 15)) }
    }

    /// The format of an integer in a message: `"status \(flags, format: .hex)"`.
    public struct IntegerFormat: Sendable, Hashable {
        @usableFromInline
        let radix: Int

        /// Lower-case hexadecimal digits without a prefix. A negative number prints as its two's complement in the
        /// width of its type.
        public static let hex = IntegerFormat(radix: 16)
    }
}
