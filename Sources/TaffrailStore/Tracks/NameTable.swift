#if Store
/// The numbers that represent names in the rows of points, as far as they are known.
struct NameTable {
    var devices: [String: (number: Int64, hash: UInt64)] = [:]
    var sources: [String: Int64] = [:]
    var sessions: [SessionName: Int64] = [:]

    struct SessionName: Hashable {
        var name: String
        var device: Int64
    }

    /// The most names of each kind: those of senders may be made up.
    static let limit = 8_192

    /// Makes space for one more name; the others are looked up again.
    static func bound<Key, Number>(_ known: inout [Key: Number]) { if known.count >= limit { known = [:] } }
}
#endif
