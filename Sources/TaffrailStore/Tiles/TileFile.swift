#if Store
internal import GRDB
package import Taffrail

/// Raster tiles of a map in a file of MBTiles 1.3, an SQLite database. Any thread may call; a call blocks during disk
/// operations.
package final class TileFile: Sendable {
    /// The path of the file.
    package let path: String
    /// The media type of the tiles.
    package let type: String
    /// The lowest and the highest zoom with tiles.
    package let zooms: ClosedRange<Int>
    /// The source of the tiles, as plain text; HTML in the file is not interpreted.
    package let attribution: String
    private let queue: DatabaseQueue

    private static let types = ["png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp"]

    /// The maximum number of bytes of a tile; longer tiles are treated as missing.
    private static let limit = 4 << 20

    /// Opens a file.
    ///
    /// - Throws: ``OptionError`` if the file does not contain raster tiles.
    package init(_ path: String) throws(OptionError) {
        self.path = path
        func problem(_ reason: String) -> OptionError { OptionError("tiles", "\(path): \(reason)") }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "taffrail.tiles"
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let (metadata, least, greatest) = try queue.read { db in
                var metadata: [String: String] = [:]
                // A value of an unexpected type would trap.
                let pairs = "SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata LIMIT 1000"
                for row in try Row.fetchAll(db, sql: pairs) {
                    if let name = row[0] as String?, let value = row[1] as String? { metadata[name] = value }
                }
                func zoom(_ function: String) throws -> Int64? {
                    try Row.fetchOne(db, sql: "SELECT CAST(\(function)(zoom_level) AS INTEGER) FROM tiles")
                        .flatMap { $0[0] as Int64? }
                }
                return (metadata, try zoom("min"), try zoom("max"))
            }
            guard let format = metadata["format"], let type = Self.types[format.lowercased()] else {
                throw problem("has tiles of the format \(metadata["format"] ?? "?"), not png, jpg or webp")
            }
            guard let least, let greatest, (0...30).contains(least), least <= greatest, greatest <= 30 else {
                throw problem("has no tiles")
            }
            self.type = type
            zooms = Int(least)...Int(greatest)
            attribution = metadata["attribution"] ?? metadata["name"] ?? ""
        } catch let error as OptionError {
            throw error
        } catch let error as DatabaseError {
            throw problem("is not an MBTiles file: \(error.message ?? "\(error.resultCode)")")
        } catch {
            throw problem("\(error)")
        }
    }

    /// Returns the tile of a zoom, a column from the west and a row from the north; `nil` if it does not exist or
    /// cannot be read.
    package func tile(zoom: Int, column: Int, row: Int) -> [UInt8]? {
        guard zooms.contains(zoom), column >= 0, row >= 0, column < 1 << zoom, row < 1 << zoom else { return nil }
        let sql =
            "SELECT CAST(tile_data AS BLOB) FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND length(tile_data) <= ?"
        // The file counts rows from the south.
        let arguments = [zoom, column, (1 << zoom) - 1 - row, Self.limit].map(Int64.init)
        return try? queue.read { db in
            let statement = try RawStatement(sql, db)
            for (index, argument) in arguments.enumerated() { statement.bind(Int32(index + 1), argument) }
            defer { statement.reset() }
            return try statement.step() ? statement.withBytes(0) { Array($0) } : nil
        }
    }
}
#endif
