extension Environment {
    /// The directory of this program's state: the first entry of `$STATE_DIRECTORY`, which systemd sets, else the
    /// directory with the program's name in ``stateHome``.
    package static var programState: String {
        if let first = self["STATE_DIRECTORY"]?.split(separator: ":").first, first.hasPrefix("/") {
            return String(first)
        }
        return stateHome + "/" + program
    }
}
