#if HTTP
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText

/// The file with the names of uploaded recordings: one per line, without `.gz`.
struct UploadedRecordings {
    private let path: String
    private(set) var names: Set<String> = []

    /// Returns the path of a sink's file.
    static func path(of sink: String, in directory: String) -> String {
        let directory = RecordingLeftovers.queueDirectory(of: DestinationPath.resolved(directory))
        return directory + "/" + SinkBook.StatusFile.fileName(of: sink) + ".uploaded"
    }

    /// Reads the file of a sink, if it exists.
    init(of sink: String, in directory: String) { self.init(Self.path(of: sink, in: directory)) }

    /// Reads the file, if it exists.
    init(_ path: String) {
        self.path = path
        guard let text = try? FileSource(path: path).readAll(limit: 16 << 20) else { return }
        names = Set(text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Stores a name, and removes those of recordings that no longer exist. If this fails, the next run queries the
    /// receiver.
    ///
    /// - Parameter existing: The files of the directory; `nil` if it cannot be read.
    mutating func insert(_ name: String, existing: [String]?) throws(SystemError) {
        if let existing { names.formIntersection(existing.map(RecordingName.uncompressed)) }
        names.insert(name)
        let text = names.sorted().joined(separator: "\n") + "\n"
        let directory = Directory.parent(of: path) ?? "."
        try Directory.create(directory)
        try FileName.replace(path, with: Array(text.utf8), forOwnerOf: directory)
    }
}
#endif
