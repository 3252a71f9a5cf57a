package import Taffrail

extension SinkBook.StatusFile {
    /// Returns the status files of a directory `.taffrail`: the instance, as in the file name, and the content. Files
    /// that belong to others, are too long or have more than one line are ignored.
    package static func read(directory: String) -> [(instance: String, json: String)] {
        let names = ((try? Directory.entries(of: directory)) ?? []).map(\.name).filter { $0.hasSuffix(suffix) }
        return names.sorted().compactMap { name in
            guard
                let file = try? FileDescriptor(
                    directory + "/" + name, [.read, .ownFile]),
                let status = try? file.status(), status.isRegular, status.size <= limit,
                let bytes = try? file.read(Int(status.size), at: 0), bytes.last == UInt8(ascii: "\n"),
                !bytes.dropLast().contains(where: { $0 < 0x20 || $0 == 0x7F })
            else { return nil }
            return (String(name.dropLast(suffix.count)), String(decoding: bytes.dropLast(), as: UTF8.self))
        }
    }
}
