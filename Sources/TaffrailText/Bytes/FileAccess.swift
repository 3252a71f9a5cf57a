internal import Glibc

/// A use of a file that this user may or may not make of it.
package enum FileAccess {
    /// The file only has to exist.
    case existence
    case reading
    case writing
    case execution

    /// Asks the system whether a file can be used so. Symbolic links are followed.
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
