internal import Glibc

/// The mode of opening a file.
package struct OpenFlags: OptionSet, Sendable {
    package let rawValue: CInt
    package init(rawValue: CInt) { self.rawValue = rawValue }

    package static let read = OpenFlags(rawValue: O_RDONLY)
    package static let write = OpenFlags(rawValue: O_WRONLY)
    package static let readWrite = OpenFlags(rawValue: O_RDWR)
    /// Every write appends.
    package static let append = OpenFlags(rawValue: O_APPEND)
    package static let create = OpenFlags(rawValue: O_CREAT)
    /// With ``create``: fails if the name exists, even as a dangling link.
    package static let exclusive = OpenFlags(rawValue: O_EXCL)
    package static let truncate = OpenFlags(rawValue: O_TRUNC)
    /// Fails if the path is a symbolic link.
    package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
    /// Does not wait for the other end of a pipe.
    package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
    package static let noTerminal = OpenFlags(rawValue: O_NOCTTY)
    package static let directory = OpenFlags(rawValue: O_DIRECTORY)
    /// For files that only Taffrail writes: no other file can replace them.
    package static let ownFile: OpenFlags = [.noFollow, .nonBlocking]
}
