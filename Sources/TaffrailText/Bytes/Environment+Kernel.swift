internal import Glibc
package import Taffrail

extension Environment {
    /// The kernel's name, such as `Linux`.
    package static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: &names.sysname) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
