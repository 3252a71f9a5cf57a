/// A growing buffer that encoders write lines to. It is reused, so that no record costs an allocation.
package struct LineBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// The number of bytes written.
    package private(set) var count = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: The initial capacity in bytes; at least 64.
    package init(capacity: Int = 4096) {
        self.capacity = max(64, capacity)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// The bytes written. Valid until the buffer is changed.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The address of the next byte. Valid for as many bytes as have been reserved.
    @inline(__always)
    var end: UnsafeMutableRawPointer { base + count }

    /// Makes room for `more` bytes after those written.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(count + more) }
    }

    @inline(never)
    private mutating func grow(_ needed: Int) {
        var larger = capacity
        while larger < needed { larger *= 2 }
        move(to: larger)
    }

    private mutating func move(to size: Int) {
        let moved = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        moved.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = moved
        capacity = size
    }

    /// Counts bytes as written that were stored at ``end``.
    @inline(__always)
    mutating func advance(_ written: Int) { count &+= written }

    /// Appends a byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        end.storeBytes(of: byte, as: UInt8.self)
        count &+= 1
    }

    /// Inserts a byte in front of the one at an offset.
    mutating func insert(_ byte: UInt8, at offset: Int) {
        reserve(1)
        (base + offset + 1).copyMemory(from: base + offset, byteCount: count - offset)
        base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        count &+= 1
    }

    /// Appends bytes.
    @inline(__always)
    package mutating func append(_ more: UnsafeRawBufferPointer) {
        guard more.count > 0, let source = more.baseAddress else { return }
        reserve(more.count)
        end.copyMemory(from: source, byteCount: more.count)
        count &+= more.count
    }

    /// Appends a constant.
    @inline(__always)
    mutating func append(_ constant: StaticString) {
        if constant.hasPointerRepresentation {
            append(UnsafeRawBufferPointer(start: constant.utf8Start, count: constant.utf8CodeUnitCount))
        } else {
            append(string: "\(constant)")
        }
    }

    /// Appends text unchanged.
    package mutating func append(string: String) {
        var string = string
        string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends an integer in decimal.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends an integer in decimal.
    mutating func append(decimal value: UInt64) {
        if value < 100_000_000 {
            reserve(8)
            count &+= Decimal.writeUpToEight(value, to: end)
            return
        }
        let digits = Decimal.digits(of: value)
        reserve(digits)
        Decimal.write(value, width: digits, to: end)
        count &+= digits
    }

    /// Appends the last `width` digits of a number, with leading zeros.
    @inline(__always)
    mutating func append(decimal value: Int64, width: Int) {
        reserve(width)
        Decimal.write(UInt64(truncatingIfNeeded: value), width: width, to: end)
        count += width
    }

    /// Appends a number in lower-case hexadecimal digits, at least `width` of them.
    mutating func append(hexadecimal value: UInt64, width: Int = 1) {
        let digits = max(width, (67 - (value | 1).leadingZeroBitCount) / 4)
        reserve(digits)
        var rest = value
        var offset = digits
        while offset > 0 {
            offset &-= 1
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            let byte = digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit
            end.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest >>= 4
        }
        count &+= digits
    }

    /// Appends nanoseconds since 1970 as `2026-01-05T14:30:00.123456789Z`.
    mutating func append(rfc3339 nanoseconds: Int64) {
        reserve(32)
        count &+= TimestampFormatter.writeRFC3339(nanoseconds, decimals: 9, to: end)
    }

    /// Appends bytes in base64 with padding (RFC 4648).
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        reserve((bytes.count + 2) / 3 * 4)
        let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var offset = 0
        while offset < bytes.count {
            let have = min(3, bytes.count - offset)
            var bits = UInt32(bytes[offset]) << 16
            if have > 1 { bits |= UInt32(bytes[offset + 1]) << 8 }
            if have > 2 { bits |= UInt32(bytes[offset + 2]) }
            for index in 0..<4 {
                append(index <= have ? digits.utf8Start[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
            }
            offset += 3
        }
    }

    /// Removes the bytes after the first `count`.
    package mutating func truncate(to count: Int) { self.count = count }

    /// Removes the contents, and frees memory beyond `kept` bytes.
    package mutating func removeAll(keeping kept: Int) {
        count = 0
        if capacity > kept { move(to: max(64, kept)) }
    }
}
