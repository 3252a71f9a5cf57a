#if Store
extension String {
    /// The string without NUL, which would end a string in the database.
    var storable: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
    }
}
#endif
