internal import Glibc

/// An extended regular expression (POSIX), on bytes.
package final class LinePatternMatch {
    /// The reason why an expression is invalid.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private var compiled = regex_t()

    /// Compiles an expression.
    ///
    /// - Parameter ignoresCase: Whether upper and lower case are the same.
    package init(_ pattern: String, ignoresCase: Bool = false) throws(Failure) {
        let code = regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE | (ignoresCase ? REG_ICASE : 0))
        guard code != 0 else { return }
        var text = [CChar](repeating: 0, count: 256)
        let length = regerror(code, &compiled, &text, text.count)
        let bytes = text.prefix(max(0, min(length, text.count) - 1)).map { UInt8(bitPattern: $0) }
        throw Failure(description: "\"\(pattern)\": \(String(decoding: bytes, as: UTF8.self))")
    }

    deinit { regfree(&compiled) }

    /// Returns whether it matches within a line.
    func matches(_ line: UnsafeRawBufferPointer) -> Bool {
        var match = regmatch_t()
        match.rm_so = 0
        match.rm_eo = regoff_t(line.count)
        guard let base = line.baseAddress else { return regexec(&compiled, "", 1, &match, 0) == 0 }
        return regexec(&compiled, base.assumingMemoryBound(to: CChar.self), 1, &match, REG_STARTEND) == 0
    }
}
