public import TaffrailText

/// Syntax errors and their locations, as thrown by readers of recordings and tracks.
public typealias ReadError = TaffrailText.ReadError
