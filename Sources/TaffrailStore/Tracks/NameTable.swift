#if Store
internal import TaffrailText

/// The numbers that represent names in the rows of points, as far as they are known.
struct NameTable {
    var devices = NameNumbers<ExactText, (number: Int64, hash: UInt64)>()
    var sources = NameNumbers<ExactText, Int64>()
    var sessions = NameNumbers<SessionName, Int64>()

    struct SessionName: Hashable {
        var name: ExactText
        var device: Int64
    }
}
#endif
