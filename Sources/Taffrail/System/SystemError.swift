internal import Glibc

/// A system call's failure: the number, and what was being done to what.
package struct SystemError: Error, CustomStringConvertible {
    package let code: CInt
    let doing: String

    /// The failure that `errno` tells now.
    package init(_ doing: String) { self.init(doing, code: errno) }

    package init(_ doing: String, code: CInt) {
        self.code = code
        self.doing = doing
    }

    /// Such as `open /var/log/app.log: Permission denied`.
    package var description: String { "\(doing): \(String(cString: strerror(code)))" }
}
