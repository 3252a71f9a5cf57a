package import Taffrail

extension LogValue {
    /// The approximate memory that it uses, in bytes.
    package var memory: Int {
        switch self {
        case .string(let text): 32 + text.utf8.count
        case .bytes(let bytes): 32 + bytes.count
        case .array(let values): values.reduce(32) { $0 + $1.memory }
        case .map(let entries): entries.reduce(32) { $0 + $1.memory }
        case .int, .double, .bool, .date: 32
        }
    }
}

extension LogValueEntry {
    /// The approximate memory that it uses, in bytes.
    package var memory: Int { 32 + key.utf8.count + value.memory }
}
