internal import Glibc

/// The system's error numbers that callers distinguish or report.
package enum Errno {
    /// Returns the system's description of an error number.
    package static func text(_ code: CInt) -> String { String(cString: strerror(code)) }

    package static var accessDenied: CInt { EACCES }
    package static var badDescriptor: CInt { EBADF }
    package static var busy: CInt { EBUSY }
    package static var cancelled: CInt { ECANCELED }
    /// Invalid data.
    package static var damaged: CInt { EILSEQ }
    package static var full: CInt { ENOSPC }
    package static var inputOutput: CInt { EIO }
    package static var invalid: CInt { EINVAL }
    package static var isDirectory: CInt { EISDIR }
    package static var linkLoop: CInt { ELOOP }
    package static var missing: CInt { ENOENT }
    package static var noData: CInt { ENODATA }
    package static var noDevice: CInt { ENODEV }
    package static var noLocks: CInt { ENOLCK }
    package static var noSuchCall: CInt { ENOSYS }
    package static var notDirectory: CInt { ENOTDIR }
    package static var notPermitted: CInt { EPERM }
    package static var taken: CInt { EEXIST }
    package static var timedOut: CInt { ETIMEDOUT }
    package static var unsupported: CInt { ENOTSUP }
    package static var wouldBlock: CInt { EAGAIN }
}
