internal import Glibc

/// Normalizes paths, to compare whether two sinks write to one destination.
package enum DestinationPath {
    /// Returns an absolute path with symbolic links resolved, as far as its directories exist.
    package static func resolved(_ path: String) -> String {
        if let found = real(path) { return found }
        guard let parent = Directory.parent(of: path) else {
            return real(".").map { $0 == "/" ? "/" + path : $0 + "/" + path } ?? path
        }
        let above = resolved(parent)
        let names = path.split(separator: "/")
        guard parent != path, let name = names.last else { return path }
        return above == "/" ? "/" + name : above + "/" + name
    }

    /// Returns the path of an existing file, with symbolic links resolved.
    package static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
