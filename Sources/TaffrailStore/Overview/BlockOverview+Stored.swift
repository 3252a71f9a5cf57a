#if Store
internal import GRDB

extension BlockOverview {
    /// Returns the stored overview of a block; `nil` if it has none.
    static func stored(_ id: Int64, hour: Int64, _ db: Database) throws -> BlockOverview? {
        var overview: BlockOverview?
        try RawStatement.forEach("SELECT line FROM overview WHERE block = ?", [id], db) { row in
            overview = row.withBytes(0) { BlockOverview(UnsafeRawBufferPointer($0), hour: hour) }
        }
        return overview
    }
}
#endif
