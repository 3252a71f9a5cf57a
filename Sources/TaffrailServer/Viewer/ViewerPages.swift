internal import CTaffrailViewer
internal import Taffrail

/// The viewer's own pages, which are built into the program.
final class ViewerPages: Sendable {
    /// The pages of this program.
    static let all = ViewerPages()

    /// The prefix of their paths, except for the start page.
    static let prefix = "/viewer/"

    private let contents: [String: [UInt8]]
    /// The files that have been requested: compressing all of them would delay the first page.
    private let files = Locked<[String: ViewerFile]>([:])

    private init() {
        var count = 0
        let pages = UnsafeBufferPointer(start: taffrail_viewer_pages(&count), count: count)
        var contents: [String: [UInt8]] = [:]
        for page in pages {
            contents[String(cString: page.name)] = Array(UnsafeBufferPointer(start: page.bytes, count: page.count))
        }
        self.contents = contents
    }

    /// The names of the files.
    var names: Set<String> { Set(contents.keys) }

    /// Returns the name of the file at a path; `nil` if there is none.
    func name(at path: String) -> String? {
        if path == "/" { return "index.html" }
        guard path.hasPrefix(Self.prefix) else { return nil }
        let name = String(path.dropFirst(Self.prefix.count))
        return contents[name] == nil ? nil : name
    }

    /// Returns the file with a name.
    func file(_ name: String) -> ViewerFile? {
        if let file = files.withLock({ $0[name] }) { return file }
        guard let content = contents[name], let file = ViewerFile(named: name, content) else { return nil }
        files.withLock { $0[name] = file }
        return file
    }
}
