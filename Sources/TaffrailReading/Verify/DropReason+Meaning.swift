package import Taffrail

extension DropReason {
    /// Whether the configuration or the user requests such drops, which are not losses.
    package var isIntended: Bool {
        switch self {
        case .shed, .processor, .filtered, .discarded: true
        default: false
        }
    }

    /// Whether callers drop the record, so that it never has a number.
    var isOfCallers: Bool { self == .shed || Self.ofCallers.contains(self) }
}
