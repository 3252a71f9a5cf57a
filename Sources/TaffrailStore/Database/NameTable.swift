#if Store
/// The numbers that represent names in the rows of points.
struct NameTable {
    var devices: [String: (number: Int64, hash: UInt64)] = [:]
    var sources: [String: Int64] = [:]
    var sessions: [SessionName: Int64] = [:]

    struct SessionName: Hashable {
        var name: String
        var device: Int64
    }
}
#endif
