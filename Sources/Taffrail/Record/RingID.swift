/// The identity of one run's queue: 64 random bits, printed as 16 hexadecimal digits.
///
/// Together with the sequence number it identifies a record permanently: `run` and `seq` in JSON lines.
public struct RingID: Sendable, Hashable, CustomStringConvertible {
    /// The bits; 0 means "no ring".
    public let value: UInt64

    /// Creates an identity from its bits.
    public init(_ value: UInt64) { self.value = value }

    /// No ring: for a record that was written without a queue.
    public static let none = RingID(0)

    /// Returns a new random identity.
    static func random() -> RingID { RingID(UInt64.random(in: 1 ... .max)) }

    /// Parses 16 hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        guard let value = HexText.number(String(text), count: 16) else { return nil }
        self.value = value
    }

    /// 16 hexadecimal digits.
    public var description: String { HexText.string(value, width: 16) }
}
