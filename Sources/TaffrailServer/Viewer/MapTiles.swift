internal import Taffrail
internal import TaffrailText

/// The raster tiles below the tracks on the map. They contain no received data.
package struct MapTiles: Sendable {
    private let type: String
    private let zooms: ClosedRange<Int>
    private let attribution: String
    private let tile: @Sendable (_ zoom: Int, _ column: Int, _ row: Int) -> [UInt8]?

    /// Creates tiles.
    ///
    /// - Parameters:
    ///   - type: Their media type.
    ///   - zooms: The zoom levels of the tiles.
    ///   - attribution: The source of the tiles, as plain text.
    ///   - tile: Returns the bytes of a tile, with rows counted from the north; `nil` if there is none. Blocks.
    package init(
        type: String, zooms: ClosedRange<Int>, attribution: String,
        tile: @escaping @Sendable (_ zoom: Int, _ column: Int, _ row: Int) -> [UInt8]?
    ) {
        self.type = type
        self.zooms = zooms
        self.attribution = attribution
        self.tile = tile
    }

    /// The path of the description, and the prefix of the tiles' paths.
    static let (path, prefix) = ("/tiles.json", "/tiles/")

    /// The zoom levels and the attribution as JSON.
    var description: ServerAnswer {
        .json([
            LogValueEntry("least", .int(Int64(zooms.lowerBound))),
            LogValueEntry("greatest", .int(Int64(zooms.upperBound))),
            LogValueEntry("attribution", .string(attribution)),
        ])
    }

    /// Returns the tile at a path, `/tiles/ZOOM/COLUMN/ROW`.
    func answer(at path: String) -> ServerAnswer {
        let numbers = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false).map {
            Int($0)
        }
        guard numbers.count == 3, let zoom = numbers[0], let column = numbers[1], let row = numbers[2],
            let bytes = tile(zoom, column, row)
        else { return Problem(404, "there is no tile at this path").answer }
        var answer = ServerAnswer(200, type, bytes)
        answer.headers = [
            ("content-type", type), ("cache-control", "private, max-age=3600"), ("x-content-type-options", "nosniff"),
        ]
        return answer
    }
}
