internal import Glibc
internal import Taffrail

extension FileDescriptor {
    /// Advises the system how the file will be read.
    func advise(isSequential: Bool) {
        _ = posix_fadvise(number, 0, 0, isSequential ? POSIX_FADV_SEQUENTIAL : POSIX_FADV_RANDOM)
    }
}
