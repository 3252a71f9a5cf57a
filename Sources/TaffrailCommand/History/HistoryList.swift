#if Command && Store
internal import ArgumentParser
internal import TaffrailStore
internal import TaffrailTracks

/// `taffrail history list`.
struct HistoryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the newest points, in chronological order.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "The maximum number of points to list.")
    var limit = 100

    @Option(help: "The output format.")
    var format = HistoryFormat.table

    @Flag(help: "Include points that are left out of trips: jumps, drift and inaccurate ones.")
    var all = false

    func validate() throws { try LimitOption.validate(limit) }

    func run() throws {
        var query = try filter.query(store)
        query.limit = limit
        query.isNewestFirst = true
        query.includesExcluded = all
        let reader = try store.reader()
        let points: [TrackPoint]
        do throws(StoreError) { points = try reader.points(query).reversed() } catch {
            throw ExitCode(error).reporting(error)
        }
        switch format {
        case .table: for point in points { print(HistoryLine.text(point)) }
        case .json: for point in points { print(HistoryLine.json(point)) }
        default:
            guard let format = TrackFormat(rawValue: format.rawValue) else { return }
            try HistoryWriter.write(to: "-", format, overwrites: false) { write in try points.forEach(write) }
        }
    }
}
#endif
