package import Taffrail

extension HexText {
    /// Returns two lower-case digits for each byte.
    package static func string(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += string($1, width: 2) }
    }
}
