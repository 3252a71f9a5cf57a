public import TaffrailText

/// A failed system call: what writing a recording throws.
public typealias SystemFailure = TaffrailText.SystemFailure

/// What is wrong with a text, and where: what reading recordings and tracks throws.
public typealias ReadError = TaffrailText.ReadError
