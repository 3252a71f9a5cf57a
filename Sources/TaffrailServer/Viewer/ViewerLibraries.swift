internal import Taffrail
internal import TaffrailText

/// The browser libraries of the viewer, as installed by the package manager.
struct ViewerLibraries: Sendable {
    /// The directory of the libraries.
    let directory: String

    /// The prefix of their paths.
    static let prefix = "/lib/"

    /// The paths of the files that pages use.
    private static let files: Set<String> = [
        "leaflet/leaflet.esm.min.js", "leaflet/leaflet.css", "leaflet/images/layers.png",
        "leaflet/images/layers-2x.png", "leaflet/images/marker-icon.png", "leaflet/images/marker-icon-2x.png",
        "leaflet/images/marker-shadow.png", "dygraphs/dygraph.min.js", "dygraphs/dygraph.min.css",
    ]

    /// The maximum size of a file, in bytes.
    private static let limit = 4 << 20

    /// Returns the name of the file at a path; `nil` if pages do not use it.
    func name(at path: String) -> String? {
        guard path.hasPrefix(Self.prefix) else { return nil }
        let name = String(path.dropFirst(Self.prefix.count))
        return Self.files.contains(name) ? name : nil
    }

    /// Reads a file. Blocks.
    ///
    /// - Throws: 404 if it is not installed.
    func file(_ name: String) throws(Problem) -> ViewerFile {
        let path = directory + "/" + name
        do throws(SystemError) {
            let bytes = try Self.read(path)
            // Debian's packages also contain the file compressed.
            if let file = ViewerFile(named: name, bytes, compressed: try? Self.read(path + ".gz")) { return file }
        } catch {
            throw Problem(404, "\(path) cannot be read: \(error.reason)")
        }
        throw Problem.notFound
    }

    private static func read(_ path: String) throws(SystemError) -> [UInt8] {
        try FileSource(path: path).readAll(limit: limit)
    }
}
