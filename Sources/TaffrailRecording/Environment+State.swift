package import Taffrail

extension Environment {
    /// The directory of this program's state: `$STATE_DIRECTORY`, which systemd sets (its first entry), else that of the
    /// program's name in ``stateHome``.
    package static var programState: String {
        if let first = self["STATE_DIRECTORY"]?.split(separator: ":").first, first.hasPrefix("/") {
            return String(first)
        }
        return stateHome + "/" + program
    }
}
