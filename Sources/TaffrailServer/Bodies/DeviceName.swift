/// Validates device names, of at most 256 bytes.
enum DeviceName {
    /// Returns a name that must not refuse the rest of its object; `nil` if it is not valid.
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
