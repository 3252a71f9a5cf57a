internal import Taffrail

/// The nesting of attribute values.
enum AttributeNesting {
    /// The deepest nesting that a record can have; deeper values would be replaced.
    static let limit = 32
}

extension LogValue {
    /// The number of values that contain the innermost one: 0 for a value that is not a list.
    var depth: Int {
        switch self {
        case .array(let elements): 1 + elements.reduce(0) { max($0, $1.depth) }
        case .map(let entries): 1 + entries.reduce(0) { max($0, $1.value.depth) }
        default: 0
        }
    }

    /// The number of values that it contains, including itself.
    var size: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .map(let entries): entries.reduce(1) { $0 + $1.value.size }
        default: 1
        }
    }
}
