/// A comparison of ordered values.
public enum LogComparison: String, Sendable, Hashable, CaseIterable {
    /// Less.
    case less = "<"
    /// Less or equal.
    case atMost = "<="
    /// Equal.
    case equal = "="
    /// Not equal.
    case different = "!="
    /// Greater or equal.
    case atLeast = ">="
    /// Greater.
    case greater = ">"

    /// Returns whether the comparison holds for two values.
    func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
        switch self {
        case .less: left < right
        case .atMost: left <= right
        case .equal: left == right
        case .different: left != right
        case .atLeast: left >= right
        case .greater: left > right
        }
    }
}
