internal import Taffrail

extension LogPath {
    /// Returns the unique names of the rotated files, oldest first, without a system call per file. If a file exists
    /// both compressed and uncompressed, returns the uncompressed name.
    func rotatedNames() throws(SystemError) -> [RotatedName] {
        var found: [RotatedName] = []
        for entry in try Directory.entries(of: path) {
            guard let name = RotatedName(entry.name, of: self) else { continue }
            var isRegular = entry.isRegular
            if isRegular == nil { isRegular = try FileStatus.of(file(entry.name))?.isRegular }
            if isRegular == true { found.append(name) }
        }
        found.sort()
        var names: [RotatedName] = []
        for name in found where names.last?.compressed(.none) != name.compressed(.none) { names.append(name) }
        return names
    }
}
