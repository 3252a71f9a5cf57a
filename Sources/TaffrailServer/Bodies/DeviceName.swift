/// Validates device names, of at most 256 bytes.
enum DeviceName {
    /// Returns a name; `nil` if it is invalid, for objects that are accepted without a name.
    static func known(_ name: String?) -> String? {
        name.flatMap { $0.isEmpty || $0.utf8.count > 256 ? nil : $0 }
    }

    /// Checks a name.
    static func checked(_ name: String?, _ field: String) throws(Problem) -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard name.utf8.count <= 256 else { throw .bad("\(field) must have at most 256 bytes") }
        return name
    }
}
