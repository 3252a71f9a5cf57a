/// The text of a record, built without a `String`.
///
/// A literal with interpolations writes its pieces straight into a buffer of the calling thread:
///
///     logger.info("request id=\(id) served for user=\(name)")
///     logger.notice("signed in with \(token, privacy: .hash)")
///
/// A message belongs to the log call that it is an argument of. It may be made outside of one (then its bytes
/// are kept on the heap), but not sent to another thread. Its pieces must not be awaited: in an asynchronous function
/// an interpolation is only accepted as the argument of a log call.
public struct LogMessage: ExpressibleByStringInterpolation {
    /// The bytes, where the message was made outside a log call; otherwise they are in the scratch.
    @usableFromInline
    let stored: StoredBytes?
    @usableFromInline
    let start: Int
    @usableFromInline
    let length: Int

    /// Makes a message from a literal without interpolations.
    public init(stringLiteral literal: StaticString) {
        let scratch = Scratch.current
        let start = scratch.cursor
        scratch.append(literal)
        self.init(scratch: scratch, from: start)
    }

    /// Makes a message from its pieces, which must not be awaited.
    @available(*, noasync, message: "make the message in the log call, or make a String first")
    @inlinable
    @inline(__always)
    public init(stringInterpolation: Interpolation) {
        self.init(scratch: stringInterpolation.scratch, from: stringInterpolation.start)
    }

    /// Makes a message from text that exists already.
    public init(_ text: String) {
        let scratch = Scratch.current
        let start = scratch.cursor
        scratch.append(text)
        self.init(scratch: scratch, from: start)
    }

    @inlinable
    @inline(__always)
    init(scratch: Scratch, from start: Int) {
        self.start = start
        length = scratch.cursor &- start
        stored = scratch.isInCall ? nil : StoredBytes.taking(from: start, of: scratch)
    }

    /// Moves the bytes to `place`, the offset behind the header of the call's record, and the cursor behind them.
    @inline(__always)
    func settle(at place: Int, in scratch: Scratch) {
        if stored == nil && start == place && scratch.cursor == start &+ length { return }
        move(to: place, in: scratch)
    }

    private func move(to place: Int, in scratch: Scratch) {
        if let stored {
            scratch.cursor = place
            stored.bytes.withUnsafeBytes { scratch.append(text: $0) }
            return
        }
        // An older message of an enclosing call: its bytes lie below the cursor.
        let end = scratch.cursor
        guard length > 0, start >= 0, start + length <= end, let room = scratch.append(length) else {
            scratch.cursor = place
            return
        }
        room.copyMemory(from: scratch.pointer(at: start), byteCount: length)
        scratch.pointer(at: place).copyMemory(from: scratch.pointer(at: end), byteCount: length)
        scratch.cursor = place + length
    }

    /// Collects the pieces of a message.
    public struct Interpolation: StringInterpolationProtocol {
        @usableFromInline
        let scratch: Scratch
        @usableFromInline
        let start: Int
        /// Where the next piece goes. A description that is asked for in between may leave things in the scratch.
        @usableFromInline
        var end: Int

        /// Starts a message at the end of the thread's scratch. Not where the pieces may be awaited: the task could go on
        /// on another thread.
        @available(*, noasync, message: "make the message in the log call, or make a String first")
        @inlinable
        @inline(__always)
        public init(literalCapacity: Int, interpolationCount: Int) {
            scratch = .current
            start = scratch.cursor
            end = start
        }

        @inlinable
        @inline(__always)
        mutating func add(_ constant: StaticString) {
            if constant.hasPointerRepresentation {
                end = scratch.put(constant.utf8Start, constant.utf8CodeUnitCount, at: end)
            } else {
                appendDescription("\(constant)")
            }
        }

        @inlinable
        @inline(__always)
        mutating func add(_ text: consuming String) { end = scratch.put(text, at: end) }

        /// Adds a constant piece.
        @inlinable
        @inline(__always)
        public mutating func appendLiteral(_ literal: StaticString) { add(literal) }

        /// Adds text.
        @inlinable
        @inline(__always)
        public mutating func appendInterpolation(_ value: consuming String) { add(value) }

        /// Adds text.
        public mutating func appendInterpolation(_ value: Substring) { add(String(value)) }

        /// Adds constant text.
        public mutating func appendInterpolation(_ value: StaticString) { add(value) }

        /// Adds a whole number in decimal.
        @inlinable
        public mutating func appendInterpolation(_ value: some FixedWidthInteger) {
            if let small = Int64(exactly: value) { appendInteger(small) } else { appendDescription("\(value)") }
        }

        /// Adds the shortest text that reads back as the same number.
        public mutating func appendInterpolation(_ value: Double) { add(value.description) }

        /// Adds the shortest text that reads back as the same number.
        public mutating func appendInterpolation(_ value: Float) { add(value.description) }

        /// Adds `true` or `false`.
        public mutating func appendInterpolation(_ value: Bool) {
            add(value ? "true" : "false" as StaticString)
        }

        /// Adds a value's description, or `nil`.
        @inlinable
        public mutating func appendInterpolation<T>(_ value: T?) {
            if let value { appendDescription(String(describing: value)) } else { appendDescription("nil") }
        }

        /// Adds a value's description, as `String(describing:)` has it. The description may itself log.
        @inlinable
        public mutating func appendInterpolation<T>(_ value: T) { appendDescription(String(describing: value)) }

        /// Adds a value as far as `privacy` lets it through. A `private` value is not even described.
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
        mutating func appendDescription(_ text: String) { add(text) }

        /// Swift's `Hasher` is SipHash under a key that is random for each run.
        @usableFromInline
        mutating func appendHash(of text: String) {
            var hasher = Hasher()
            hasher.combine(text)
            let hash = RingID(UInt64(bitPattern: Int64(hasher.finalize()))).description
            add("<hash:" as StaticString)
            add(hash)
            add(">" as StaticString)
        }
    }
}

extension LogMessage {
    /// What of an interpolated value may reach the log: `"\(token, privacy: .private)"`.
    ///
    /// Enforced while the message is built: a withheld value is never turned into text, and no byte of it reaches
    /// the queue, the ring file or a sink.
    public enum Privacy: Sendable, Hashable {
        /// The value itself; what an interpolation without `privacy:` does.
        case `public`
        /// Only `<private>`.
        case `private`
        /// A hash such as `<hash:5d41402abc4b2a76>`: equal values are recognisable within one run of the program.
        /// The key is random for each run, so that nobody can look a hash up afterwards.
        case hash
    }
}

/// Encoded bytes on the heap, for a message or attributes that were made outside a log call.
@usableFromInline
final class StoredBytes: Sendable {
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes the bytes from an offset on out of the scratch.
    @usableFromInline
    @inline(never)
    static func taking(from start: Int, of scratch: Scratch) -> StoredBytes {
        defer { scratch.cursor = start }
        return StoredBytes(scratch.bytes(from: start))
    }
}
