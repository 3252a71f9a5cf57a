#if Command && Store
internal import ArgumentParser

/// The formats of lists of points, trips, visits and days.
enum HistoryFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, gpx, geojson, kml

    /// `text`, the name in other commands, is `table`.
    init?(argument: String) { self.init(rawValue: argument == "text" ? "table" : argument) }
}
#endif
