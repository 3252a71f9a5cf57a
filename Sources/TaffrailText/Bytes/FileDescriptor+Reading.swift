package import Taffrail

extension FileDescriptor {
    /// Opens a file, a pipe or a device for reading; `-` is stdin.
    package init(reading path: String) throws(SystemError) { try self.init(path == "-" ? "/dev/stdin" : path, .read) }

    /// Whether it is a regular file, which can be read at any offset.
    package var isRegular: Bool { (try? status())?.isRegular == true }
}
