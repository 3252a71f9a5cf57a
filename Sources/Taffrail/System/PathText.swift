/// Paths as written by users in options: constructs that only a shell would interpret are rejected.
package enum PathText {
    /// Returns the reason why a path is rejected as written; `nil` for a valid one.
    package static func problem(_ path: String) -> String? {
        let isHome = path.utf8.first == UInt8(ascii: "~")
        guard isHome || path.utf8.first == UInt8(ascii: "$") else { return nil }
        let (sign, variable) = isHome ? ("~", "HOME") : ("$", "NAME")
        return "\"\(path)\" starts with \(sign), which only a shell expands: write ${\(variable)} in a configuration, "
            + "the whole path elsewhere, or ./\(path) for a file of that name"
    }

    /// Returns whether a path names a stream that the process has open, or its terminal.
    package static func isStream(_ path: String) -> Bool {
        ["/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"].contains(path)
            || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    }
}
