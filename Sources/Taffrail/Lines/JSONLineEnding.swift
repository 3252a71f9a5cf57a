/// The end of JSON lines: `,"seq":1041,"run":"00000000000000ab"}` and the newline. A key without a value is omitted.
///
/// The lines of a run count up, so the next ending is prepared: the previous one with its number incremented, which in
/// nine of ten cases changes only the last digit.
struct JSONLineEnding {
    /// Room for the longest number.
    private static let room = 64
    /// The offset of the first digit, after `,"seq":`.
    private static let firstDigit = 7

    private var run = RingID.none
    /// The number in the prepared ending.
    private var sequence: UInt64 = 0
    /// The offset of the last digit.
    private var lastDigit = 0
    private var length = 0
    private var text: (SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>) = (.zero, .zero, .zero, .zero)

    init() { prepare(0, .none) }

    /// Appends the ending of the record with this number in `run`.
    @inline(__always)
    mutating func append(_ sequence: UInt64, _ run: RingID, to buffer: inout LineBuffer) {
        if sequence != self.sequence || run != self.run { prepare(sequence, run) }
        buffer.reserve(Self.room)
        buffer.end.storeBytes(of: text, as: type(of: text))
        buffer.advance(length)
        if sequence != 0 { raise() }
    }

    /// Prepares the ending of the next record. Done right after writing one, not before the next, so that the changed
    /// digit is in memory before whole words of it are read.
    @inline(__always)
    private mutating func raise() {
        let hasRoom = withUnsafeMutableBytes(of: &text) { text in
            var index = lastDigit
            while text[index] == UInt8(ascii: "9") {
                text[index] = UInt8(ascii: "0")
                index &-= 1
            }
            guard index >= Self.firstDigit else { return false }
            text[index] &+= 1
            return true
        }
        sequence &+= 1
        if !hasRoom || sequence == 0 { prepare(sequence, run) }
    }

    @inline(never)
    private mutating func prepare(_ sequence: UInt64, _ run: RingID) {
        var line = LineBuffer(capacity: Self.room)
        if sequence > 0 {
            line.append(",\"seq\":")
            line.append(decimal: sequence)
        }
        lastDigit = line.count - 1
        if run != .none {
            line.append(",\"run\":\"")
            line.append(hexadecimal: run.value, width: 16)
            line.append(UInt8(ascii: "\""))
        }
        line.append("}\n")
        length = line.count
        withUnsafeMutableBytes(of: &text) { $0.copyBytes(from: line.bytes) }
        self.sequence = sequence
        self.run = run
    }
}
