/// Paths as written by users in options: constructs that only a shell would interpret are rejected.
package enum PathText {
    /// Returns the reason why a path is rejected as written; `nil` for a valid one.
    package static func problem(_ path: String) -> String? {
        if path.utf8.first == UInt8(ascii: "~") {
            return "\"\(path)\" starts with ~, which only a shell expands: write ${HOME} in a configuration, the whole "
                + "path elsewhere, or ./\(path) for a file of that name"
        }
        if path.utf8.first == UInt8(ascii: "$") {
            return "\"\(path)\" starts with $, which only a shell expands: write ${NAME} in a configuration, the whole "
                + "path elsewhere, or ./\(path) for a file of that name"
        }
        return nil
    }

    /// Returns whether a path names a stream that the process has open, or its terminal.
    package static func isStream(_ path: String) -> Bool {
        ["/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"].contains(path)
            || path.utf8.starts(with: "/dev/fd/".utf8) || path.utf8.starts(with: "/proc/self/fd/".utf8)
    }
}
