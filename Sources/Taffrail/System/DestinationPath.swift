internal import Glibc

/// Normalizes paths, to compare whether two sinks write to one destination.
package enum DestinationPath {
    /// Returns an absolute path with symbolic links resolved, as far as its directories exist.
    package static func resolved(_ path: String) -> String {
        if let found = real(path) { return found }
        guard let parent = Directory.parent(of: path) else {
            return real(".").map { Directory.path(path, in: $0) } ?? path
        }
        return parent == path ? path : Directory.path(FileName.base(of: path), in: resolved(parent))
    }

    /// Returns the path of an existing file, with symbolic links resolved.
    package static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
