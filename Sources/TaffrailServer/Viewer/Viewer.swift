internal import Taffrail
internal import TaffrailText

/// The pages that show stored records and positions in a browser.
package struct Viewer: Sendable {
    private let libraries: ViewerLibraries
    private let tiles: MapTiles?
    private let towns: MapTowns?

    /// Creates a viewer.
    ///
    /// - Parameters:
    ///   - libraries: The directory in which the package manager installs libraries for browsers.
    ///   - tiles: The tiles below the tracks on the map. Default: only countries.
    ///   - towns: The names of towns on the map. Default: none.
    package init(libraries: String = "/usr/share/javascript", tiles: MapTiles? = nil, towns: MapTowns? = nil) {
        self.libraries = ViewerLibraries(directory: libraries)
        self.tiles = tiles
        self.towns = towns
    }

    /// Returns the route of a request for pages, libraries, tiles and names of towns, which contain no received data;
    /// `nil` for anything else.
    func route(_ request: ServerRequest) -> ServerRoute? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let path = request.target.path
        if let name = ViewerPages.all.name(at: path) {
            return Self.route { request in
                ViewerPages.all.file(name)?.answer(to: request)
                    ?? Problem.notFound.answer
            }
        }
        if path == MapTiles.path {
            // Missing tiles are not an error for the page.
            return Self.route { [tiles] _ in tiles?.description ?? ServerAnswer.json("{}") }
        }
        if path == MapTowns.path { return Self.route { [towns] in towns?.answer(to: $0) ?? MapTowns.none } }
        if let tiles, path.hasPrefix(MapTiles.prefix) { return Self.route { _ in tiles.answer(at: path) } }
        guard let name = libraries.name(at: path) else { return nil }
        return Self.route { [libraries] request in
            do throws(Problem) { return try libraries.file(name).answer(to: request) } catch { return error.answer }
        }
    }

    /// Answers on a separate thread, because file access blocks.
    private static func route(_ answer: @escaping @Sendable (ServerRequest) -> ServerAnswer) -> ServerRoute {
        ServerRoute(bodyLimit: 0) { request in
            await DedicatedThread.value { answer(request) } ?? Problem.outOfThreads.answer
        }
    }
}
