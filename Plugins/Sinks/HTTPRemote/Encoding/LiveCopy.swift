#if HTTP
/// The copy of a position that is sent before earlier records.
enum LiveCopy {
    /// The attribute of a copy.
    static let mark = "taffrail.live"
}
#endif
