internal import Glibc

/// A way of accessing a file.
package enum FileAccess {
    /// The file only has to exist.
    case existence
    case reading
    case writing
    case execution

    /// Checks whether the current user may access a file in this way. Symbolic links are followed.
    ///
    /// - Returns: 0, or the error number.
    package func error(at path: String) -> CInt {
        let mode =
            switch self {
            case .existence: F_OK
            case .reading: R_OK
            case .writing: W_OK
            case .execution: X_OK
            }
        return access(path, mode) == 0 ? 0 : errno
    }
}
