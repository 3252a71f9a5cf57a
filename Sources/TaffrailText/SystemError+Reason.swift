package import Taffrail

extension SystemError {
    /// The system's description of the error for use within a sentence, such as `connection refused`.
    package var reason: String {
        let text = Errno.text(code)
        guard text.dropFirst().first?.isLowercase == true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
