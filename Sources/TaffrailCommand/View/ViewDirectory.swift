#if Command && Server && Store
internal import Glibc
internal import Taffrail

/// A temporary directory of this program, for its user alone.
struct ViewDirectory: Sendable {
    let path: String

    /// Creates the directory in `$TMPDIR`, by default `/tmp`.
    init() throws(SystemError) {
        let base = Environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/taffrail-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("create a directory in \(base)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Deletes it, with its contents.
    func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        for entry in (try? Directory.entries(of: path)) ?? [] {
            let inner = "\(path)/\(entry.name)"
            if unlink(inner) != 0, errno == EISDIR || errno == EPERM { remove(inner) }
        }
        rmdir(path)
    }
}
#endif
