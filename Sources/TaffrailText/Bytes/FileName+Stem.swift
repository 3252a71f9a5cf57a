internal import Taffrail

extension FileName {
    /// Returns the last name in a path, without its extension.
    package static func stem(of path: String) -> String {
        let name = base(of: path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
