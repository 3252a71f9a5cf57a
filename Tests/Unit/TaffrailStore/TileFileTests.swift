#if Store
import GRDB
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Map tiles are read from a file of MBTiles.
@Suite struct TileFileTests {
    @Test func `a tile is found by its row from the north, and one without bytes is missing`() throws {
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("map.mbtiles")
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE metadata(name TEXT, value TEXT);
                    CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES('format', 'png');
                    INSERT INTO tiles VALUES
                        (1, 0, 0, x'0000'), (1, 0, 1, x'01FF'), (1, 1, 0, NULL), (1, 1, 1, 'text'),
                        (2, 0, 0, zeroblob(5000000)), (2, 1, 0, zeroblob(0));
                    """)
        }
        let file = try TileFile(path)
        #expect(file.zooms == 1...2)
        // A second time by the same statement.
        for _ in 0..<2 {
            #expect(file.tile(zoom: 1, column: 0, row: 0) == [1, 255])
            #expect(file.tile(zoom: 1, column: 0, row: 1) == [0, 0])
            #expect(file.tile(zoom: 1, column: 1, row: 0) == Array("text".utf8))
            #expect(file.tile(zoom: 1, column: 1, row: 1) == nil)
            #expect(file.tile(zoom: 1, column: 2, row: 0) == nil)
            #expect(file.tile(zoom: 2, column: 0, row: 3) == nil)
            #expect(file.tile(zoom: 2, column: 1, row: 3) == [])
        }
    }
}
#endif
