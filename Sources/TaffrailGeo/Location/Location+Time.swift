package import Taffrail

extension Location {
    /// The time of the fix according to its source; `nil` if the source provided none.
    package var fixTime: Timestamp? { extra.hasNoTime == true ? nil : timestamp }
}
