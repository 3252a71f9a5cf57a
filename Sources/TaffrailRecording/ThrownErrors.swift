public import TaffrailText

/// What is wrong with a text, and where: what reading recordings and tracks throws.
public typealias ReadError = TaffrailText.ReadError
