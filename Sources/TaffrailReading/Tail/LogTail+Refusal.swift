extension LogTail {
    /// A path that cannot be read, and the reason.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
        /// Whether this user lacks permission.
        package let isDenied: Bool

        package init(description: String, isDenied: Bool = false) {
            self.description = description
            self.isDenied = isDenied
        }
    }
}
